// The published types, rolled up into one file for each entry.
import { fileURLToPath } from 'node:url'
import { generateDtsBundle } from 'dts-bundle-generator'
import { root } from './root.ts'

export function types(entry: string): string {
  const [text] = generateDtsBundle(
    [
      {
        filePath: fileURLToPath(new URL(entry, root)),
        output: { inlineDeclareGlobals: true, noBanner: true, exportReferencedTypes: false },
      },
    ],
    { preferredConfigPath: fileURLToPath(new URL('../tsconfig.elements.json', root)) },
  )
  return text!
}
