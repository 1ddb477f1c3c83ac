import { homedir } from 'node:os'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { exampleHeader } from '../../../test/support/store.ts'
import { findMedia } from '../../media/find-media.ts'
import { sharedPage } from './page.ts'
import { redaction } from './redact.ts'
import { isPlainSvg } from './plain-svg.ts'
import { dataScript } from './script.ts'

const HASH = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)

describe('isPlainSvg', () => {
  const svg = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`

  it.each([
    svg('<rect width="3" height="3" fill="#fff"/><text x="1">2 &lt; 3</text>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n${svg('<g transform="scale(2)"><path d="M0 0h1"/></g>')}`,
    svg('<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>'),
  ])('accepts shapes and text: %s', (text) => {
    expect(isPlainSvg(text)).toBe(true)
  })

  it.each([
    svg('<script>1</script>'),
    svg('<SCRIPT>1</SCRIPT>'),
    svg('<rect onload="1"/>'),
    svg('<rect\nonclick = "1"/>'),
    svg('<a href="javascript:1"><rect/></a>'),
    svg('<image href="http://x/"/>'),
    svg('<use xlink:href="#a"/>'),
    svg('<foreignObject><p/></foreignObject>'),
    svg('<style>@import "http://x"</style>'),
    svg('<rect style="fill:url(http://x)"/>'),
    svg('<rect fill="url(http://x)"/>'),
    svg('<rect fill="url( \'//x\' )"/>'),
    svg('<animate attributeName="href" values="javascript:1"/>'),
    '<!DOCTYPE svg [<!ENTITY x "y">]><svg/>',
    '<?xml-stylesheet href="http://x"?><svg/>',
    '<html><svg/></html>',
  ])('rejects anything else: %s', (text) => {
    expect(isPlainSvg(text)).toBe(false)
  })
})

describe('findMedia', () => {
  it('finds media at any depth, with the declared type', () => {
    const events = [
      { type: 'media', sha256: HASH, mediaType: 'image/png' },
      { type: 'message', content: [{ type: 'media', media: { sha256: OTHER, type: 'video/mp4' } }] },
      { type: 'note', frames: { last: 'c'.repeat(64) }, not: 'c'.repeat(63) },
    ]
    expect([...findMedia(events)]).toEqual([
      [HASH, 'image/png'],
      [OTHER, 'video/mp4'],
      ['c'.repeat(64), null],
    ])
  })
})

describe('redaction', () => {
  const source = 'vsi-bench:path=/data/of-anna/vsi,meshes=/scans/of-anna,set=tiny'
  const modelOptions = {
    base_url: 'https://gpu7.lab.example:8443/team/v1',
    'judge.base_url': 'http://10.1.2.3:8000/v1/',
    'header.X-Team': 'vision',
    temperature: 0,
  }
  const parts = { 'modelOption.base_url': '"https://gpu7.lab.example:8443/team/v1"', 'option.tasks': 'x' }
  const header = exampleHeader({ id: 'one', source, modelOptions, fingerprint: { parts, hash: 'abc' } })
  const redact = redaction('/srv/anna/.sightline', header)
  it.each([
    ['/srv/anna/.sightline/media/ab', '…/media/ab'],
    ['/data/of-anna/vsi/scene.ply is not there', '…/scene.ply is not there'],
    [`"${homedir()}/secret"`, '"~/secret"'],
    [`${process.cwd()}/x`, '…/x'],
    // Text that only resembles a path is left alone.
    ['/data/of-anna/vsix', '/data/of-anna/vsix'],
    ['a/srv/anna/.sightline/b', 'a/srv/anna/.sightline/b'],
    ['left/right', 'left/right'],
    ['Cannot reach https://gpu7.lab.example:8443/team/v1/chat.', 'Cannot reach …/chat.'],
    ['gpu7.lab.example:8443 refused, so did gpu7.lab.example.', '… refused, so did ….'],
    ['10.1.2.3:8000 (10.1.2.3) and 10.1.2.34', '… (…) and 10.1.2.34'],
    ['api.openai.com said 500', 'api.openai.com said 500'],
  ])('%s', (text, short) => {
    expect(redact.json(text)).toBe(short)
  })

  it('redacts paths in source arguments', () => {
    expect(redact.json(source)).toBe('vsi-bench:path=…,meshes=…,set=tiny')
  })

  it('leaves base URLs and HTTP headers out of the header, unless they are kept', () => {
    expect(redact.header(header)).toMatchObject({
      modelOptions: { temperature: 0 },
      fingerprint: { parts: { 'option.tasks': 'x' }, hash: 'abc' },
    })
    expect(JSON.stringify(redact.header(header))).not.toMatch(/gpu7|10\.1\.2|X-Team|of-anna/)
    const kept = redaction('/srv/anna/.sightline', header, true).header(header)
    expect(kept.modelOptions).toEqual(modelOptions)
    expect(JSON.stringify(kept)).not.toMatch(/of-anna/)
  })
})

it('writes any data as a valid script', () => {
  const value = { text: '</script>\u2028\u2029`${1}` __proto__', ['__proto__x']: [1, null] }
  const found: unknown[] = []
  runInNewContext(dataScript('run', value), { sightlineData: (...given: unknown[]) => found.push(...given) })
  expect(JSON.stringify(found)).toBe(JSON.stringify(['run', value]))
})

it('escapes the page title', () => {
  expect(sharedPage('</title><script>1</script>')).toContain('<title>&lt;/title&gt;&lt;script&gt;')
})
