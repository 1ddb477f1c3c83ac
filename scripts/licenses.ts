/** `npm run licenses`: writes THIRD-PARTY.md, the list of what npm installs with Sightline. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installedPackages, readLock, thirdPartyList } from './supply-chain/packages.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

writeFileSync(
  `${ROOT}THIRD-PARTY.md`,
  thirdPartyList(installedPackages(readLock(readFileSync(`${ROOT}package-lock.json`, 'utf8')))),
)
