// Components of the active generation with the drafts over them.
import { z } from 'zod'
import { flagState } from '#kernel/components/feature-flag/lifetime.ts'
import { componentId, componentTypes } from '#kernel/components/component.ts'
import type { ComponentCounts, ComponentDetail } from '#wire/index.ts'
import { normaliseBusinessKey } from '#kernel/components/config-entry/business-key.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireVisibleValues, hasPermission } from '../../access/index.ts'
import {
  componentAuditOf,
  componentHistoryOf,
  componentVersionsOf,
  entryCountOf,
  visibleDraft,
  visibleDraftBriefs,
  fileText,
  keyHistoryOf,
  requireComponent,
  shownEntryKeys,
  usagesOf,
} from '../../pipeline/index.ts'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { visibleGeneration } from '../visible-generation.ts'
import {
  auditRow,
  componentKey,
  componentType,
  draftRow,
  pageQuery,
  versionRow,
  wholeNumber,
} from '../schemas/common.ts'
import { historyPage, historyQuery } from '../schemas/history.ts'
import { historyView } from '../views/history-view.ts'
import { componentList } from '../views/component-list.ts'
import { rowStates } from '../views/find-components.ts'

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
  summary: 'List components, filtered by type, set, words or state',
  effect: 'reads',
  query: z.strictObject({
    ids: z
      .string()
      .max(20_000)
      .transform((text) => text.split(','))
      .optional()
      .meta({
        description:
          'Only these components, as <type>/<key> separated by commas; those that do not exist are omitted.',
      }),
    type: componentType.optional(),
    set: z.string().optional().meta({ description: 'Entries of this set or flag.' }),
    q: z.string().max(200).optional().meta({ description: 'Text in the key, the label or the values.' }),
    state: z.enum(rowStates).optional(),
    app: z
      .string()
      .max(80)
      .optional()
      .meta({ description: 'Only components that belong to this app; without entries if no type is named.' }),
    outside: z.literal('true').optional().meta({
      description: 'Only components that do not belong to an app; without entries if no type is named.',
    }),
    ...pageQuery,
  }),
  budget: wholeOrgBudget,
  reply: z.object({ components: z.array(row), nextCursor: z.string().nullable(), total: z.int() }),
  errors: [],
  prepare: ({ services, access }) => services.problems.ready(access.user),
  handle: ({ query, ...request }) => componentList(request, query),
})

export const componentCounts = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/counts',
  name: 'countComponents',
  summary: 'Count components, drafts, findings and expiring flags',
  effect: 'reads',
  budget: wholeOrgBudget,
  reply: z.object({
    counts: z.record(z.string(), z.int()),
    drafts: z.int(),
    findings: z.int(),
    expiring: z.int(),
  }),
  errors: [],
  prepare: ({ services, access }) => services.problems.ready(access.user),
  handle: async ({ services, shown, snapshot, visibility, viewer, access }): Promise<ComponentCounts> => {
    const findings = await services.problems.all(access.user)
    const drafts = services.store.read((reader) => visibleDraftBriefs(reader, viewer))
    const today = services.clock.today()
    return {
      counts: Object.fromEntries(
        componentTypes.map((type) => [
          type,
          type === 'config_entry' ? shownEntryKeys(snapshot.view, visibility).length : shown.count(type),
        ]),
      ),
      drafts: drafts.length,
      findings: findings.length,
      expiring: [...shown.list('feature_flag')].filter(
        ({ body }) => flagState(body.expiresOn, today) !== 'active',
      ).length,
    }
  },
})

export const component = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}',
  name: 'getComponent',
  summary: 'Get a component at a generation, with its text, draft and uses',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  query: z.strictObject({ generation: wholeNumber.optional() }),
  budget: wholeOrgBudget,
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
  handle: (request): ComponentDetail => {
    const { services, params, query, viewer } = request
    const { type, key } = params
    const { snapshot, shown, visibility } = visibleGeneration(request, query.generation)
    const { generation } = snapshot
    const id = componentId(type, key)
    return services.store.read((reader) => {
      const draft = visibleDraft(reader, id, viewer) ?? null
      // A component that exists only as a draft has a page too.
      if (draft !== null && !shown.has(type, key))
        return { component: null, text: '', digest: null, generation, draft, usages: 0, entries: 0 }
      const component = requireComponent(shown, type, key)
      return {
        component,
        text: fileText(component),
        digest: reader.components.digest(generation, id) ?? null,
        generation,
        draft,
        usages: usagesOf(reader, generation, id, shown, { graph: () => services.org.graph() }).length,
        entries: entryCountOf(snapshot, visibility, id),
      }
    })
  },
})

export const componentHistory = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/history',
  name: 'componentHistory',
  summary: 'Get the history of a component: versions, the change of each generation in words, and its audit',
  effect: 'reads',
  params: z.strictObject({ type: componentType, key: componentKey }),
  query: z.strictObject(historyQuery),
  budget: { lane: 'quick' },
  reply: z.object({ versions: z.array(versionRow), audit: z.array(auditRow), ...historyPage }),
  errors: ['component.not_found'],
  handle: ({ services, params: { type, key }, query, shown, access, viewer }) => {
    const id = componentId(type, key)
    return services.store.read((reader) => {
      const versions = componentVersionsOf(reader, id, viewer)
      // A removed component still has a history, for users who could see it.
      if (versions.length === 0) requireComponent(shown, type, key)
      const audit = hasPermission(access, 'audit.read')
        ? componentAuditOf(reader, id, { viewer, limit: 200 })
        : []
      const history = componentHistoryOf(reader, id, { ...query, viewer })
      return { versions, audit, ...historyView(reader, history, { access, viewer }) }
    })
  },
})

export const keyHistory = defineRoute({
  method: 'get',
  path: '/setup/v3/sets/{set}/history',
  name: 'keyHistory',
  summary: 'Get the history of one key of a set, or of a flag: the changes of each generation in words',
  effect: 'reads',
  params: z.strictObject({ set: componentKey }),
  query: z.strictObject({
    key: z
      .string()
      .optional()
      .meta({ description: 'The business key; omitted for a singleton and for a flag.' }),
    ...historyQuery,
  }),
  budget: { lane: 'quick' },
  reply: z.object(historyPage),
  errors: ['config.unknown_set', 'access.denied'],
  handle: ({ services, params: { set }, query: { key, ...page }, ...request }) => {
    const { access, visibility, viewer, snapshot } = request
    const { view } = snapshot
    const definition = view.get('config_set', set)
    if (definition === undefined && !view.has('feature_flag', set))
      throw new AlmanacError('config.unknown_set', `The configuration set or flag "${set}" does not exist.`)
    requireVisibleValues(visibility, set, access.user)
    const keyedBy = definition?.body.keyedBy
    const normal =
      key === undefined || keyedBy === undefined ? (key ?? null) : normaliseBusinessKey(keyedBy, key)
    return services.store.read((reader) =>
      historyView(reader, keyHistoryOf(reader, set, normal, { ...page, viewer }), {
        access,
        viewer,
      }),
    )
  },
})
