// The JSON language of Monaco: gets every room's schema, and is awaited before an editor is shown.
import type { Room } from '../api/wire.ts'
import type { JsonLanguage, LoadedMonaco, Model } from './monaco.ts'

let registeredRooms: readonly Room[] | null = null

/**
 * Registers the envelopes of all types for completion and hover. Models are named `almanac:///<type>/…`. All are
 * registered at once, because the language's worker restarts with every registration.
 */
export function registerSchemas({ json, placementSchema }: LoadedMonaco, rooms: readonly Room[]): void {
  if (registeredRooms === rooms) return
  registeredRooms = rooms
  json.jsonDefaults.setDiagnosticsOptions({
    // The server's findings report what is wrong; the schema only completes and explains.
    validate: true,
    schemaValidation: 'ignore',
    enableSchemaRequest: false,
    schemas: [...rooms, { type: 'placement', schema: placementSchema }].map(({ type, schema }) => ({
      uri: `almanac://schema/${type}.json`,
      fileMatch: [`/${type}/*`, `almanac:///${type}/*`],
      schema,
    })),
  })
}

/** Resolves once completion works for this model; the first model of the language requests its mode. */
export async function waitForLanguage(json: JsonLanguage, model: Model): Promise<void> {
  const worker = await workerOf(json)
  await worker(model.uri)
}

type JsonWorker = Awaited<ReturnType<JsonLanguage['getWorker']>>

async function workerOf(json: JsonLanguage): Promise<JsonWorker> {
  for (;;) {
    const worker = await json.getWorker().catch((reason: unknown) => {
      // A string means that the mode is not created yet, which takes a turn after its code is loaded.
      if (typeof reason === 'string') return null
      throw reason
    })
    if (worker !== null) return worker
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
