/** `npm run sbom [-- FILE]`: the software bill of materials as CycloneDX JSON, after a build. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundledPackages, releaseBom, type Bom } from './supply-chain/sbom.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const [file = 'sightline.cdx.json'] = process.argv.slice(2)
const npm = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 2 ** 27,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const licenses = ['viewer', 'viewer-share'].map((folder) => readFileSync(`${ROOT}dist/${folder}/licenses.md`, 'utf8'))
const bom = releaseBom(JSON.parse(npm) as Bom, bundledPackages(licenses.join('\n')))
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${file}: ${bom.components.length} packages`)
