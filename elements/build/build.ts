// npm run build:elements: writes the published files into elements/dist.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getWebTypesData } from 'custom-element-jet-brains-integration'
import { getVsCodeHtmlCustomData } from 'custom-element-vs-code-integration'
import { manifest } from './manifest.ts'
import { root } from './root.ts'
import { buildScript } from './script.ts'
import { types } from './types.ts'

const dist = new URL('dist/', root)
const { name, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<
  'name' | 'version',
  string
>
const described = manifest()
const quiet = { hideLogs: true } as const

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
await buildScript(fileURLToPath(dist))
writeFileSync(new URL('index.d.ts', dist), types('index.ts'))
writeFileSync(new URL('sources.d.ts', dist), types('sources/index.ts'))
// TypeScript also checks imports without names.
writeFileSync(new URL('style.css.d.ts', dist), 'export {}\n')
writeJson('custom-elements.json', described)
// For editors: Visual Studio Code, and those of JetBrains.
writeJson('html-custom-data.json', JSON.parse(getVsCodeHtmlCustomData(described as never, quiet)))
writeJson('web-types.json', {
  ...(JSON.parse(getWebTypesData(described as never, quiet)) as object),
  name,
  version,
})

function writeJson(file: string, content: unknown): void {
  writeFileSync(new URL(file, dist), `${JSON.stringify(content, null, 2)}\n`)
}
