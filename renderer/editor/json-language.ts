// The JSON language of Monaco: told every room's schema, and waited for before an editor is shown.
import type { Room } from '../api/wire.ts'
import { placementSchema } from '#kernel/components/placement-schema.ts'
import type { JsonLanguage, Model } from './monaco.ts'

let told: readonly Room[] | null = null

/**
 * Makes completion and hover know the envelopes of all types. Models are named `almanac:///<type>/…`. Told once for all,
 * because the language's worker starts anew with every telling.
 */
export function tellSchemas(json: JsonLanguage, rooms: readonly Room[]): void {
  if (told === rooms) return
  told = rooms
  json.jsonDefaults.setDiagnosticsOptions({
    // The findings of the server say what is wrong; the schema only completes and explains.
    validate: true,
    schemaValidation: 'ignore',
    enableSchemaRequest: false,
    schemas: [...rooms, { type: 'placement', schema: placementSchema() }].map(({ type, schema }) => ({
      uri: `almanac://schema/${type}.json`,
      fileMatch: [`/${type}/*`, `almanac:///${type}/*`],
      schema,
    })),
  })
}

/** Resolves once completion of this model can be answered; the first model of the language has asked for its mode. */
export async function readyFor(json: JsonLanguage, model: Model): Promise<void> {
  const worker = await workerOf(json)
  await worker(model.uri)
}

type JsonWorker = Awaited<ReturnType<JsonLanguage['getWorker']>>

async function workerOf(json: JsonLanguage): Promise<JsonWorker> {
  for (;;) {
    const worker = await json.getWorker().catch((reason: unknown) => {
      // A text says that the mode is not made yet, which takes a turn after its code is there.
      if (typeof reason === 'string') return null
      throw reason
    })
    if (worker !== null) return worker
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
