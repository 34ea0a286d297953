// The published scripts: each one module, minified, with everything that it needs, and its source map.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { innerNames } from './inner-names.ts'
import { root } from './root.ts'

const entries = { 'index.js': 'index.ts', 'sources.js': 'sources/index.ts' }
const inner = new RegExp(`^(${innerNames.join('|')})$`)

/** Builds the element with its sources, the sources alone, and the styles for a page before the element is defined. */
export async function buildScript(outDir: string): Promise<void> {
  for (const [fileName, entry] of Object.entries(entries)) await buildEntry(outDir, fileName, entry)
  copyFileSync(new URL('lookup-field/style.css', root), join(outDir, 'style.css'))
}

async function buildEntry(outDir: string, fileName: string, entry: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [tightCss],
    build: {
      outDir,
      emptyOutDir: false,
      sourcemap: true,
      // The oldest browsers with every feature in use: form-associated elements, adopted sheets, private members.
      target: ['chrome111', 'firefox114', 'safari16.4'],
      lib: {
        entry: fileURLToPath(new URL(entry, root)),
        formats: ['es'],
        fileName: () => fileName,
      },
      // Vite does not remove whitespace when it builds a library.
      rolldownOptions: {
        output: { minify: { compress: true, mangle: true, codegen: true, mangleProps: { include: inner } } },
      },
    },
  })
}

/** Returns the style sheet without comments and whitespace. */
const tightCss: Plugin = {
  name: 'tight-css',
  enforce: 'pre',
  transform: {
    filter: { id: /lookup-field\/styles\.ts$/ },
    handler: (code) => ({
      code: code.replace(/`([^`]+)`/, (_all, css: string) => JSON.stringify(tight(css))),
      map: null,
    }),
  },
}

function tight(css: string): string {
  const plain = css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/(\w): /g, '$1:')
  // After compression, a repeated value is smaller than a separate property.
  const own = new Map<string, string>()
  return plain
    .replace(/(--_\w+):([^;]+);/g, (_all, name: string, value: string) => {
      own.set(`var(${name})`, value)
      return ''
    })
    .replace(/var\(--_\w+\)/g, (use) => own.get(use)!)
    .replace(/;}/g, '}')
}
