// Components of the active generation with the drafts over them (HTTP surface).
import { z } from 'zod'
import { componentId, componentTypes } from '#kernel/components/component.ts'
import { visibleSets, visibleView, holds } from '../../access/index.ts'
import { fileText } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import {
  auditRow,
  componentKey,
  componentType,
  draftRow,
  pageQuery,
  versionRow,
  wholeNumber,
} from '../schemas/common.ts'
import { shownComponent, usagesOf, entryCountOf, daysLeft } from '../views/component-facts.ts'
import { componentList, rowStates } from '../views/component-list.ts'
import { shownEntryKeys } from '../views/entry-keys.ts'
import { draftShown } from '../views/shown-drafts.ts'
import { shownFinding } from './problems.ts'
import { shownRow } from './audit.ts'

const row = z.object({
  id: z.string(),
  type: componentType,
  key: z.string(),
  label: z.string(),
  digest: z.string().nullable(),
  draft: z.enum(['added', 'changed', 'removed']).nullable(),
  findings: z.int(),
  facts: z.unknown().optional(),
})

export const components = defineRoute({
  method: 'get',
  path: '/metadata/v3/components',
  name: 'listComponents',
  summary: 'Components by type, set, words or state',
  effect: 'reads',
  query: z.strictObject({
    type: componentType.optional(),
    set: z.string().optional().meta({ description: 'Entries of this set or flag.' }),
    q: z.string().max(200).optional().meta({ description: 'Text in key, label or values.' }),
    state: z.enum(rowStates).optional(),
    ...pageQuery,
  }),
  reply: z.object({ components: z.array(row), nextCursor: z.string().nullable(), total: z.int() }),
  errors: [],
  handle: ({ query, ...request }) => componentList(request, query),
})

/** Flags that end within so many days count as expiring. */
const soon = 30

export const componentCounts = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/counts',
  name: 'countComponents',
  summary: 'How many components, drafts, findings and expiring flags there are',
  effect: 'reads',
  reply: z.object({
    counts: z.record(z.string(), z.int()),
    drafts: z.int(),
    findings: z.int(),
    expiring: z.int(),
  }),
  errors: [],
  handle: async ({ services, shown, world, visibility, access }) => {
    const findings = await services.problems.all(access.user)
    const drafts = services.store.read((reader) => reader.drafts())
    const today = services.clock.today()
    return {
      counts: Object.fromEntries(
        componentTypes.map((type) => [
          type,
          type === 'config_entry' ? shownEntryKeys(world.view, visibility).length : shown.count(type),
        ]),
      ),
      drafts: drafts.filter((draft) => draftShown(draft, { access, visibility })).length,
      findings: findings.filter((each) => shownFinding(each, visibility)).length,
      expiring: [...shown.list('feature_flag')].filter(({ body }) => daysLeft(body.expiresOn, today) <= soon)
        .length,
    }
  },
})

export const component = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}',
  name: 'getComponent',
  summary: 'One component, as of a generation, with its text, draft and uses',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  query: z.strictObject({ generation: wholeNumber.optional() }),
  reply: z.object({
    component: z.unknown(),
    text: z.string(),
    digest: z.string().nullable(),
    generation: z.int(),
    draft: draftRow.nullable(),
    usages: z.int(),
    entries: z.int(),
  }),
  errors: ['component.not_found', 'generation.not_found'],
  handle: ({ services, params: { type, key }, query, world, access, visibility, shown: present }) => {
    const asked = query.generation === undefined ? world : services.org.pin(query.generation)
    const { generation, view } = asked
    const sight = asked === world ? visibility : visibleSets(access, view, world.view)
    const shown = asked === world ? present : visibleView(view, sight)
    const id = componentId(type, key)
    return services.store.read((reader) => {
      const found = reader.draft(id)
      const draft = found !== undefined && draftShown(found, { access, visibility }) ? found : null
      // What is only a draft yet has a page too.
      if (draft !== null && !shown.has(type, key))
        return { component: null, text: '', digest: null, generation, draft, usages: 0, entries: 0 }
      const component = shownComponent(shown, type, key)
      return {
        component,
        text: fileText(component),
        digest: reader.digestOf(generation, id) ?? null,
        generation,
        draft,
        usages: usagesOf(reader, generation, id, shown).length,
        entries: entryCountOf(asked, sight, id),
      }
    })
  },
})

export const componentHistory = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/history',
  name: 'componentHistory',
  summary: 'Versions of a component, and its audit for those who may read that',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  reply: z.object({ versions: z.array(versionRow), audit: z.array(auditRow) }),
  errors: ['component.not_found'],
  handle: ({ services, params: { type, key }, shown, access, visibility }) => {
    const id = componentId(type, key)
    return services.store.read((reader) => {
      const versions = reader.versions(id)
      // A component that is gone has a history still, for those who could see its kind.
      const hidden = type === 'config_entry' ? !visibility.values(key.split('.')[0]!) : false
      if (versions.length === 0 || hidden) shownComponent(shown, type, key)
      const audit = holds(access, 'audit.read') ? reader.audit({ component: id, limit: 200 }) : []
      return { versions, audit: audit.map((each) => shownRow(each, access, visibility)) }
    })
  },
})
