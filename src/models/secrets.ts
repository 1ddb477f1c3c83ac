/** Keeps keys out of everything that leaves this layer. */

/** Shorter ones would blot out ordinary words, and are no secret. */
const SHORTEST_SECRET = 6

export type Redact = (text: string) => string

/** Replaces every secret, as it is and as it would look in a URL, in JSON or in Base64, by `[redacted]`. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const needles = new Set<string>()
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SHORTEST_SECRET) continue
    needles.add(secret)
    needles.add(encodeURIComponent(secret))
    needles.add(JSON.stringify(secret).slice(1, -1))
    needles.add(Buffer.from(secret).toString('base64'))
  }
  // Longest first: a secret that contains another must not leave its rest behind.
  const ordered = [...needles].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const needle of ordered) if (clean.includes(needle)) clean = clean.replaceAll(needle, '[redacted]')
    return clean
  }
}

/** `user:password` and the password alone. */
export function passwordsIn(credentials: string | undefined): string[] {
  return credentials === undefined ? [] : [credentials, credentials.slice(credentials.indexOf(':') + 1)]
}

/** Passwords of the proxies that requests may go through. */
export function proxyPasswords(env: Readonly<Record<string, string | undefined>>): string[] {
  const proxies = [env.http_proxy, env.HTTP_PROXY, env.https_proxy, env.HTTPS_PROXY]
  return proxies.flatMap((text) => {
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
    return url?.password ? [url.password] : []
  })
}
