// A table as a change list: looked at with dryRun, otherwise kept as drafts; never applied by itself (completions 7).
import { z } from 'zod'
import { parseRepairChoice } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { importCsv, lastImport, rememberImport, repairChanges, type Imported } from '../../import/index.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { changeView } from '../schemas/changes.ts'
import { finding } from '../schemas/common.ts'
import { demandAuthor } from '../views/demand-author.ts'
import { askedPlan } from '../views/change-list.ts'
import { keptAsDrafts } from '../views/kept-as-drafts.ts'

const options = z.strictObject({
  dryRun: z.boolean().optional(),
  name: z.string().max(300).optional().meta({ description: 'The name of the file, for messages.' }),
  repair: z
    .array(z.string())
    .optional()
    .meta({ description: 'Choices for findings, as in config.range_gap=extend_earlier.' }),
})

export const importTable = defineRoute({
  method: 'post',
  path: '/setup/v3/import',
  name: 'importTable',
  summary: 'Import a CSV file into a set: changes and findings, kept as drafts unless dryRun',
  effect: 'writes',
  body: z.strictObject({
    set: z.string(),
    csv: z.string(),
    map: z.unknown(),
    options: options.optional(),
    dryRun: z.boolean().optional(),
  }),
  bodyLimit: 128 * 1024 * 1024,
  reply: z.object({
    changes: z.array(changeView),
    findings: z.array(finding),
    drafts: z.array(z.string()).optional(),
    facts: z.unknown(),
  }),
  errors: ['import.invalid', 'request.invalid', 'conflict.stale_draft'],
  handle: async ({ body, ...request }) => {
    demandAuthor(request.access)
    const { imported, components, removals, dropped, findings } = importedList(request, body)
    const plan = await askedPlan(request, { components: components.map((each) => each.component), removals })
    const answer = { changes: plan.changes, findings: [...findings, ...plan.findings], facts: imported.facts }
    if (body.dryRun === true || body.options?.dryRun === true) return answer
    const list = components.map((each) => each.component)
    const remember = (transactor: Parameters<typeof rememberImport>[0]): void =>
      rememberImport(transactor, body.set, imported.record, dropped)
    return { ...answer, drafts: await keptAsDrafts(request, list, removals, remember) }
  },
})

interface Sent {
  set: string
  csv: string
  map: unknown
  options?: z.output<typeof options> | undefined
}

interface ImportedList {
  imported: Imported
  components: Imported['components']
  removals: ComponentId[]
  dropped: ComponentId[]
  findings: Finding[]
}

function importedList(
  { services, world }: Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'world'>,
  { set, csv, map, options }: Sent,
): ImportedList {
  return services.store.read((reader) => {
    const request = {
      set,
      bytes: Buffer.from(csv, 'utf8'),
      name: options?.name ?? 'the file',
      map: parseImportMap(map),
      last: lastImport(reader, set),
    }
    const imported = importCsv(request, world.view)
    const choices = (options?.repair ?? []).map((choice) => ({ ...parseRepairChoice(choice), set }))
    const plain = { components: imported.components, removals: [], dropped: [], findings: imported.findings }
    if (choices.length === 0) return { imported, ...plain }
    const repaired = repairChanges(reader, plain, choices, services.clock.today())
    const { components, removals, dropped } = repaired
    return { imported, components, removals, dropped, findings: [...imported.findings, ...repaired.findings] }
  })
}
