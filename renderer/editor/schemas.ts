// JSON Schemas of the rooms, told to Monaco's JSON language once a type.
import type { Loaded } from './monaco.ts'

interface KnownSchema {
  uri: string
  fileMatch: string[]
  schema: Record<string, unknown>
}

const known = new Map<string, KnownSchema>()

/** Makes completion and hover know the envelope of a type. Models are named `almanac:///<type>/…`. */
export function registerSchema(json: Loaded['json'], type: string, schema: Record<string, unknown>): void {
  if (known.has(type)) return
  known.set(type, {
    uri: `almanac://schema/${type}.json`,
    fileMatch: [`/${type}/*`, `almanac:///${type}/*`],
    schema,
  })
  json.jsonDefaults.setDiagnosticsOptions({
    // The findings of the server say what is wrong; the schema only completes and explains.
    validate: true,
    schemaValidation: 'ignore',
    enableSchemaRequest: false,
    schemas: [...known.values()],
  })
}
