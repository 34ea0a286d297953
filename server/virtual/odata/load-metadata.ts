// Reads `$metadata` of a source.
import type { EntitySet } from '../metadata/source-model.ts'
import { readMetadata } from '../metadata/source-model.ts'
import { timedOut, untilDeadline } from '../until-aborted.ts'
import type { ODataSource } from './odata-source.ts'
import { serviceError } from './service-error.ts'

export const metadataPath = '/$metadata'

/**
 * @param name of the source, for messages
 * @throws AlmanacError `virtual.metadata`, or of the call
 */
export async function loadMetadata(
  source: ODataSource,
  name: string,
  signal: AbortSignal,
): Promise<EntitySet[]> {
  const headers = {
    accept: 'application/xml, application/json;q=0.5',
    'odata-version': '4.0',
    'odata-maxversion': '4.01',
  }
  const call = source.call({ method: 'GET', path: metadataPath, query: '', headers }, signal)
  const response = await untilDeadline(call, signal, () => timedOut(name))
  if (response.status < 200 || response.status > 299) throw serviceError(response, `The metadata of ${name}`)
  return readMetadata(response.text)
}
