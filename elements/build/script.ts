// The script that is published: one module, minified, with all it needs.
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { root } from './root.ts'

export async function buildScript(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [tightCss],
    build: {
      outDir,
      emptyOutDir: false,
      // The oldest that has all it is made of: form-associated elements, adopted sheets, private members.
      target: ['chrome111', 'firefox114', 'safari16.4'],
      lib: {
        entry: fileURLToPath(new URL('index.ts', root)),
        formats: ['es'],
        fileName: () => 'index.js',
      },
      // Vite leaves the spaces of a library in place.
      rolldownOptions: { output: { minify: true } },
    },
  })
}

/** The style sheet without the words and spaces that a reader needs. */
export const tightCss: Plugin = {
  name: 'tight-css',
  enforce: 'pre',
  transform: {
    filter: { id: /lookup-field\/styles\.ts$/ },
    handler: (code) => code.replace(/`([^`]+)`/, (_all, css: string) => JSON.stringify(tight(css))),
  },
}

function tight(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/(\w): /g, '$1:')
    .replace(/;}/g, '}')
}
