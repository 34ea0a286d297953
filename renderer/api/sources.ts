// The services behind virtual objects, for authors.
import type { EntitySetList, EntitySetRows, EntitySetView, VirtualObjectFacts } from '#wire/virtual.ts'
import { get } from './request.ts'

export type { EntitySetRows, EntitySetSummary, EntitySetView, VirtualObjectFacts } from '#wire/virtual.ts'

const pathOf = (source: string, ...parts: string[]): string =>
  ['/setup/v3/data-sources', source, 'entity-sets', ...parts]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')

export const fetchEntitySets = async (source: string): Promise<EntitySetList['entitySets']> =>
  (await get<EntitySetList>(pathOf(source))).entitySets

export const fetchEntitySet = (source: string, entitySet: string): Promise<EntitySetView> =>
  get(pathOf(source, entitySet))

/** A first page, as the current user. */
export const fetchEntitySetRows = (source: string, entitySet: string): Promise<EntitySetRows> =>
  get(pathOf(source, entitySet, 'rows'))

export const fetchVirtualObject = (object: string): Promise<VirtualObjectFacts> =>
  get(`/setup/v3/virtual-objects/${encodeURIComponent(object)}`)
