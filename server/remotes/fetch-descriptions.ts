// Brings the descriptions of external services along that are taken from a remote, as they were imported there: their
// addresses can have different ones by now.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import { isDescriptionAddress } from '#kernel/components/external-service/source.ts'
import type { Actor } from '../access/index.ts'
import type { RemoteClient } from './client.ts'
import type { WantedContent } from './contents.ts'
import type { RemotesDeps } from './deps.ts'
import { remoteError } from './remote-error.ts'

/** A remote that has not imported a description has none to bring. @throws AlmanacError class integration. */
export async function fetchDescriptions(
  { store, importDescription }: Pick<RemotesDeps, 'store' | 'importDescription'>,
  client: RemoteClient,
  generation: number,
  { by, wanted }: { by: Actor; wanted: readonly WantedContent[] },
): Promise<void> {
  const missing = store.read((reader) =>
    wanted.flatMap(({ id, digest }) => {
      // Thousands of contents would take too long to read.
      if (splitId(id).type !== 'external_service') return []
      const component = reader.remotes.content(digest)
      if (component?.type !== 'external_service') return []
      const { source, hash } = component.body.spec
      const isCarried = hash !== undefined && isDescriptionAddress(source)
      return isCarried && reader.descriptions.facts(hash) === undefined ? [component] : []
    }),
  )
  // One at a time: a description can have many megabytes.
  for (const service of missing as ComponentOf<'external_service'>[]) {
    const text = await client.description(generation, service.key)
    if (text === null) continue
    const [problem] = await importDescription(service, text, by)
    if (problem !== undefined)
      throw remoteError(
        client.row,
        'integration.unreadable',
        `returned a description of ${service.key} that cannot be used: ${problem.message}`,
      )
  }
}
