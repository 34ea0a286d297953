// What authors see of the services behind virtual objects: entity sets, drafts of objects over them, and a first page.
import { parseComponent } from '#kernel/components/parse.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type {
  DraftedPart,
  EntitySetList,
  EntitySetRows,
  EntitySetSummary,
  EntitySetView,
} from '#wire/virtual.ts'
import {
  draftObject,
  listPage,
  loadMetadata,
  refusedEntitySet,
  virtualObjectOf,
  type DraftedObject,
  type EntitySet,
  type ODataSource,
  type VirtualObject,
} from '../../virtual/index.ts'
import type { RemoteSources, SourceCaller } from './remote-sources.ts'

/** Rows without their warnings in the shape of errors. */
export interface FoundRows extends Omit<EntitySetRows, 'warnings'> {
  warnings: readonly AlmanacError[]
}

export interface SourceSetup {
  /** @throws AlmanacError `component.not_found`, `virtual.metadata`, and those of the source */
  entitySets(from: SourceCaller, source: string): Promise<EntitySetList>
  /** @throws AlmanacError as `entitySets`; `component.not_found` for an entity set that does not exist */
  entitySet(from: SourceCaller, source: string, name: string): Promise<EntitySetView>
  /** @throws AlmanacError as `entitySet`; `virtual.metadata` if no object can have the rows */
  rows(from: SourceCaller, source: string, name: string): Promise<FoundRows>
}

/** Rows of a preview. */
const previewRows = 20
/** For the metadata, which can be large. */
const metadataMs = 30_000

export function createSourceSetup(sources: RemoteSources): SourceSetup {
  const setsOf = async (from: SourceCaller, source: VirtualObject['source'], opened: ODataSource) => {
    const sets = await loadMetadata(opened, source.key, sources.deadline(metadataMs))
    return sets.map((set) => ({ set, summary: summaryOf(set, source.key, from.view) }))
  }
  const setOf = async (from: SourceCaller, sourceKey: string, name: string) => {
    const source = sourceOf(from.view, sourceKey)
    const opened = sources.open(source, from)
    const sets = await setsOf(from, source, opened)
    const found = sets.find(({ set }) => set.name === name)
    if (found !== undefined) return { ...found, source, opened }
    const known = sets.map(({ set }) => set.name)
    throw new AlmanacError(
      'component.not_found',
      `${source.key} has no entity set "${name.slice(0, 80)}".${didYouMean(name, known)}`,
    )
  }
  return {
    entitySets: async (from, sourceKey) => {
      const source = sourceOf(from.view, sourceKey)
      const sets = await setsOf(from, source, sources.open(source, from))
      return { entitySets: sets.map(({ summary }) => summary) }
    },
    entitySet: async (from, sourceKey, name) => {
      const { set, summary, source } = await setOf(from, sourceKey, name)
      const draft = summary.refusal === null ? draftOf(set, source.key, from.view) : null
      return { ...summary, details: detailsOf(set, draft), draft: draft && draftedParts(draft) }
    },
    rows: async (from, sourceKey, name) => {
      const { set, source, opened } = await setOf(from, sourceKey, name)
      const { object, view } = previewOf(draftOf(set, source.key, from.view), source, from.view)
      const page = await listPage(
        opened,
        {
          ...{ object, view, filter: null, orderBy: [], owner: null, count: false, place: null },
          limit: previewRows,
        },
        sources.deadline(source.body.listViewDeadlineMs),
      )
      const fields = [...object.fields.values()]
      return {
        fields: fields.map(({ key, field }) => ({ key, label: field.label ?? key })),
        rows: page.rows.map(({ id, fields: values }) => ({
          id,
          values: fields.map(({ key }) => values.get(key) ?? null),
        })),
        hasMore: page.next !== null,
        warnings: page.warnings,
      }
    },
  }
}

function sourceOf(view: ComponentView, key: string): VirtualObject['source'] {
  const source = view.get('external_data_source', key)
  if (source !== undefined) return { key, body: source.body }
  const known = [...view.keys('external_data_source')]
  throw new AlmanacError(
    'component.not_found',
    `The external data source "${key.slice(0, 80)}" does not exist.${didYouMean(key, known)}`,
  )
}

function summaryOf(set: EntitySet, source: string, view: ComponentView): EntitySetSummary {
  const { name, type, key, propertyCount } = set
  const objects = [...view.list('object')].flatMap(({ key: object, body }) =>
    body.storage === 'external' && body.dataSource === source && body.remoteEntity === name ? [object] : [],
  )
  return {
    ...{ name, type, key: [...key], properties: propertyCount, objects },
    refusal: refusedEntitySet(set),
  }
}

const draftOf = (set: EntitySet, dataSource: string, view: ComponentView): DraftedObject =>
  draftObject(set, {
    dataSource,
    taken: { objects: new Set(view.keys('object')), valueSets: new Set(view.keys('value_set')) },
  })

/** Only what is sent: without properties that are undefined. */
const draftedParts = ({ object, valueSets }: DraftedObject): NonNullable<EntitySetView['draft']> =>
  JSON.parse(JSON.stringify({ object, valueSets })) as { object: DraftedPart; valueSets: DraftedPart[] }

function detailsOf({ properties }: EntitySet, draft: DraftedObject | null): EntitySetView['details'] {
  const drafted = (draft?.object.body['fields'] ?? []) as { key: string; remoteField: string }[]
  const fields = new Map(drafted.map(({ remoteField, key }) => [remoteField, key]))
  const notes = new Map([
    ...(draft?.notes ?? []).map(({ property, note }) => [property, note] as const),
    ...(draft?.unmapped ?? []).map(({ property, reason }) => [property, reason] as const),
  ])
  return properties.map(({ name, type, isCollection, isNullable, isComputed }) => {
    const field = fields.get(name) ?? null
    return { name, type, isCollection, isNullable, isComputed, field, note: notes.get(name) ?? null }
  })
}

/** The drafted object as if it existed, with the source of the org. */
function previewOf(
  draft: DraftedObject,
  source: VirtualObject['source'],
  view: ComponentView,
): { object: VirtualObject; view: ComponentView } {
  const { object, valueSets } = draftedParts(draft)
  const components = [object, ...valueSets].flatMap((part): Component[] => {
    const { component } = parseComponent(part)
    return component === null ? [] : [component]
  })
  const preview = new MemoryView([view.get('external_data_source', source.key)! as Component, ...components])
  return { object: virtualObjectOf(preview, object.key)!, view: preview }
}
