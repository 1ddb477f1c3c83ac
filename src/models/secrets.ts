/** Redacts API keys and passwords from all output of this layer. */

/** Redacting shorter strings would blank out ordinary words. */
const MIN_SECRET_LENGTH = 6

export type Redact = (text: string) => string

/** Replaces every secret with `[redacted]`: verbatim, URL-encoded, JSON-escaped and in Base64. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = new Set<string>()
  for (const secret of secrets) {
    if (secret === undefined || secret.length < MIN_SECRET_LENGTH) continue
    needles.add(secret)
    needles.add(encodeURIComponent(secret))
    needles.add(JSON.stringify(secret).slice(1, -1))
    needles.add(Buffer.from(secret).toString('base64'))
  }
  // Longest first: a secret that contains another must be redacted completely.
  const ordered = [...needles].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const needle of ordered) if (clean.includes(needle)) clean = clean.replaceAll(needle, '[redacted]')
    return clean
  }
}

/** Both `user:password` and the password alone. */
export function passwordsIn(credentials: string | undefined): string[] {
  return credentials === undefined ? [] : [credentials, credentials.slice(credentials.indexOf(':') + 1)]
}

/** Passwords in the proxy URLs of the environment. */
export function proxyPasswords(env: Readonly<Record<string, string | undefined>>): string[] {
  const proxies = [env.http_proxy, env.HTTP_PROXY, env.https_proxy, env.HTTPS_PROXY]
  return proxies.flatMap((text) => {
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
    return url?.password ? [url.password] : []
  })
}
