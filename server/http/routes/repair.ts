// Repairs findings by explicit choice, as drafts; never without a choice.
import { z } from 'zod'
import { splitId } from '#kernel/components/component.ts'
import { requireRepairChoice, type RepairChoice } from '#kernel/change/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { repairChanges, repairCompanion } from '../../import/index.ts'
import { draftList } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { changeView } from '../schemas/changes.ts'
import { componentId, finding } from '../schemas/common.ts'
import { planChangeList } from '../views/change-list.ts'
import { saveAsDrafts } from '../views/save-as-drafts.ts'

const body = z.strictObject({
  findings: z.strictObject({
    code: z.string(),
    component: componentId.optional(),
    set: z.string().optional(),
    key: z.string().nullable().optional(),
    day: z.string().optional().meta({ description: 'First day of the gap, if a key has several.' }),
  }),
  choice: z.string(),
  value: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .meta({ description: 'For set_value: field → value, or only the value if the set has one field.' }),
})

export const repair = defineRoute({
  method: 'post',
  path: '/setup/v3/repair',
  name: 'repair',
  summary: 'Repair findings with a choice that they offer; creates drafts and returns the remaining findings',
  effect: 'writes',
  body,
  author: true,
  budget: { lane: 'long', deadlineMs: 120_000 },
  reply: z.object({ drafts: z.array(z.string()), changes: z.array(changeView), findings: z.array(finding) }),
  errors: ['request.invalid', 'conflict.stale_draft'],
  handle: async ({ body, ...request }) => {
    const { services, shown, viewer, access } = request
    const choice = choiceOf(body, shown)
    const repaired = services.store.read((reader) =>
      repairChanges(reader, draftList(reader, viewer), [choice], {
        today: services.clock.today(),
        viewer,
        access,
      }),
    )
    if (repaired.repaired === 0)
      throw new AlmanacError(
        'request.invalid',
        repaired.findings[0]?.message ?? 'No finding offers this repair.',
        {
          details: repaired.findings,
        },
      )
    const touched = new Set(repaired.touched)
    const components = repaired.components.map(({ component }) => component)
    const drafts = await saveAsDrafts(
      request,
      {
        components: components.filter(({ type, key }) => touched.has(`${type}/${key}`)),
        removals: repaired.removals.filter((id) => touched.has(id)),
      },
      repairCompanion({
        drafts: [],
        dropped: repaired.dropped,
        user: viewer === null ? null : request.by.actor,
      }),
    )
    const changes = drafts.length === 0 ? [] : (await planChangeList(request, { drafts })).changes
    const left = repaired.unrepaired.filter(({ facts }) => concerns(choice, facts ?? {}))
    return { drafts, changes, findings: [...repaired.findings, ...left] }
  },
})

/** Returns whether a choice applies to a finding: same set and key; a choice without them applies to all. */
function concerns({ set, key }: RepairChoice, facts: NonNullable<Finding['facts']>): boolean {
  return (set === undefined || facts['set'] === set) && (key === undefined || facts['key'] === key)
}

function choiceOf({ findings, choice, value }: z.output<typeof body>, view: ComponentView): RepairChoice {
  requireRepairChoice(findings.code, choice)
  if (value !== undefined && choice !== 'set_value')
    throw new AlmanacError('request.invalid', `"value" is for set_value; ${choice} takes none.`)
  const set = findings.set ?? (findings.component === undefined ? undefined : setOf(findings.component))
  return {
    code: findings.code,
    ...(set === undefined ? {} : { set }),
    ...(findings.key == null ? {} : { key: findings.key }),
    ...(findings.day === undefined ? {} : { day: findings.day }),
    choice,
    ...(value === undefined ? {} : { values: valuesOf(value, set, view) }),
  }
}

function setOf(component: string): string | undefined {
  const { type, key } = splitId(component)
  return type === 'config_entry'
    ? key.split('.')[0]
    : type === 'config_set' || type === 'feature_flag'
      ? key
      : undefined
}

/** Accepts `{ rate: "0.19" }`, `rate=0.19, currency=EUR`, or only a value if just one field can have it. */
function valuesOf(
  value: string | Record<string, string>,
  set: string | undefined,
  shown: ComponentView,
): Record<string, string> {
  if (typeof value !== 'string') return value
  const fields = (set === undefined ? undefined : shown.get('config_set', set))?.body.fields ?? []
  const pairs = value.split(',').map((pair) => /^\s*([a-z][a-z0-9_]*)\s*=\s*(.*?)\s*$/s.exec(pair))
  if (pairs.every((pair) => pair !== null))
    return Object.fromEntries(pairs.map((pair) => [pair[1]!, pair[2]!]))
  const required = fields.length === 1 ? fields : fields.filter((field) => field.required)
  if (required.length === 1) return { [required[0]!.key]: value.trim() }
  throw new AlmanacError(
    'request.invalid',
    `Name the field of the value, such as ${fields.map(({ key }) => `${key}=…`).join(', ') || 'rate=0.19'}.`,
  )
}
