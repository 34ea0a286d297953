// Shapes of change lists: request bodies, and responses with changes, plans and applied generations.
import { z } from 'zod'
import { componentId, counts, digest, finding, generationNumber, componentInput } from './common.ts'

/** Maximum items of one list: twice the size of a large org. */
const maxComponents = 200_000

/** A revert of one generation. */
export const revertFields = {
  generation: generationNumber.meta({ description: 'The generation whose changes to undo.' }),
  components: z
    .array(componentId)
    .min(1)
    .max(maxComponents)
    .optional()
    .meta({ description: 'Only its changes to these components; default all.' }),
  without: z
    .array(componentId)
    .max(maxComponents)
    .optional()
    .meta({ description: 'Components to keep as they are now.' }),
  settled: z
    .array(z.strictObject({ id: componentId, after: componentInput.nullable() }))
    .max(maxComponents)
    .optional()
    .meta({
      description:
        'For components that changed since: their content on top of `base`; null removes the component.',
    }),
}

/** A change list: components and removals, drafts (the caller's own, or some by id), a rollback or a revert. */
export const changeListFields = {
  components: z.array(componentInput).max(maxComponents).optional(),
  removals: z.array(componentId).max(maxComponents).optional(),
  descriptions: z.record(z.string(), z.string()).optional().meta({
    description:
      'Texts of OpenAPI descriptions by the key of their external service, as a retrieve writes them; instead of fetching their addresses.',
  }),
  prune: z.boolean().optional(),
  drafts: z
    .union([z.literal(true), z.array(componentId).max(maxComponents)])
    .optional()
    .meta({
      description: 'true for the drafts that the caller wrote; or ids, which can name drafts of other users.',
    }),
  dependencies: z
    .boolean()
    .optional()
    .meta({ description: 'For drafts named by id: whether to include their dependencies.' }),
  generation: generationNumber
    .optional()
    .meta({ description: 'Instead of components or drafts: restore the content of this generation.' }),
  revert: z
    .strictObject(revertFields)
    .optional()
    .meta({ description: 'Instead of components or drafts: undo the changes of one generation.' }),
  breaking: z.array(componentId).max(maxComponents).optional().meta({
    description:
      'The objects for which the loss of values, and of what clients use, is confirmed. Without generation or revert, only removed objects: others have "breaking": true themselves.',
  }),
  rationale: z.string().max(10_000).optional(),
}

/** Lineage of the org that a plan was created for. */
export const planLineage = z
  .string()
  .max(100)
  .meta({ description: 'Lineage of the org that the plan was created for; any other is rejected.' })

/** The reviewed plan that an apply names. */
export const planFields = {
  lineage: planLineage.optional(),
  changeDigest: z.string().optional(),
  planBase: generationNumber.optional().meta({
    description: 'The generation that the plan was created against; default `base`. Any other is rejected.',
  }),
}

/** The same for validation, without an apply. */
export const plannedListFields = {
  ...changeListFields,
  unread: z
    .array(componentId)
    .max(maxComponents)
    .optional()
    .meta({ description: 'Components whose text could not be read; their absence is not reported.' }),
}

export const changeView = z
  .object({
    kind: z.enum(['added', 'changed', 'renamed', 'removed']),
    id: z.string(),
    type: z.string(),
    key: z.string(),
    set: z.string().optional(),
    words: z.object({ title: z.string(), before: z.string(), after: z.string(), takesEffect: z.string() }),
    values: z.array(
      z.object({
        path: z.string(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
        reordered: z.literal(true).optional().meta({
          description: 'Whether only the order of the items changes; `before` and `after` list their keys.',
        }),
      }),
    ),
    before: z.unknown(),
    after: z.unknown(),
    renamedFrom: z.string().optional(),
    findings: z.array(z.int()),
    requires: z.string(),
    lacks: z.string().nullable(),
  })
  .meta({
    id: 'Change',
    description:
      'One change with its description, its values and the permissions that it requires of its author.',
  })

export const denial = z
  .object({ id: z.string(), permission: z.string(), message: z.string() })
  .meta({ id: 'Denial', description: 'A missing permission for a change, in words.' })

export const budget = z
  .object({ used: z.number(), added: z.number(), limit: z.number(), left: z.number() })
  .meta({ id: 'SliceBudget', description: 'Bytes of materialised slices.' })

export const plan = z
  .object({
    lineage: z.string(),
    base: z.int(),
    changeDigest: digest,
    changes: z.array(
      z.object({
        kind: z.string(),
        id: z.string(),
        from: z.string().optional(),
        before: z.string().nullable(),
        digest: z.string().nullable(),
      }),
    ),
    counts,
    findings: z.array(finding),
    budget,
  })
  .meta({ id: 'Plan' })

export const closure = z
  .object({
    picked: z.array(z.string()),
    needed: z.array(
      z.object({
        id: z.string(),
        because: z.array(
          z.object({ of: z.string(), kind: z.string(), reason: z.string(), path: z.string().optional() }),
        ),
        reasons: z.int(),
        takenBy: z.array(z.string()),
      }),
    ),
    free: z.array(z.string()),
    totals: z.object({ picked: z.int(), needed: z.int(), free: z.int() }),
    included: z.boolean(),
  })
  .meta({
    id: 'Closure',
    description: 'Dependencies of selected drafts with reasons; which ones can be excluded.',
  })

export const applyResult = z
  .object({
    generation: z.int(),
    changes: z.array(changeView),
    counts,
    findings: z.array(finding),
    findingsTotal: z.int(),
    budget,
    ms: z.number(),
  })
  .meta({ id: 'Applied' })
