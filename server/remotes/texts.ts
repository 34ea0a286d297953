// One component on the three sides of a comparison, as text for a user.
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteTexts } from '#wire/remotes.ts'
import { fileText } from '../pipeline/index.ts'
import type { RemoteClient } from './client.ts'
import type { ComparisonData } from './comparison.ts'
import { fetchContents } from './contents.ts'
import type { RemotesDeps } from './deps.ts'

/** @throws AlmanacError `component.not_found` if it is on no side, class integration */
export async function textsOf(
  deps: RemotesDeps,
  client: RemoteClient,
  { local, seen, listed }: ComparisonData,
  id: ComponentId,
): Promise<RemoteTexts> {
  const { type, key } = splitId(id)
  const here = (local.view.get(type, key) as Component | undefined) ?? null
  const remoteDigests = { seen: seen.digests.get(id), listed: listed.digests.get(id) }
  if (
    local.hidden.has(id) ||
    (here === null && remoteDigests.seen === undefined && remoteDigests.listed === undefined)
  )
    throw new AlmanacError('component.not_found', `${id} exists neither in this org nor on the remote.`)
  const loadText = async (which: 'seen' | 'listed'): Promise<string | null> => {
    const digest = remoteDigests[which]
    if (digest === undefined) return null
    const { generation } = which === 'seen' ? seen : listed
    await fetchContents(deps, client, generation, [{ id, digest }])
    const content = deps.store.read((reader) => reader.remotes.content(digest))
    return content === undefined ? null : fileText(content)
  }
  return {
    id,
    local: here === null ? null : fileText(here),
    listed: await loadText('listed'),
    seen: await loadText('seen'),
  }
}
