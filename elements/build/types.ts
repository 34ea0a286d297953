// The types that are published, rolled up into one file.
import { fileURLToPath } from 'node:url'
import { generateDtsBundle } from 'dts-bundle-generator'
import { root } from './root.ts'

export function types(): string {
  const [text] = generateDtsBundle(
    [
      {
        filePath: fileURLToPath(new URL('index.ts', root)),
        output: { inlineDeclareGlobals: true, noBanner: true, exportReferencedTypes: false },
      },
    ],
    { preferredConfigPath: fileURLToPath(new URL('../tsconfig.elements.json', root)) },
  )
  return text!
}
