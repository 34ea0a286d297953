// Imports a table: inspects it, previews its changes, or saves them as drafts; never applies them.
import { z } from 'zod'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { parseImportMap } from '#kernel/import/index.ts'
import {
  findDraftSet,
  createImportChangeList,
  readTable,
  importCompanion,
  type ImportChangeList,
} from '../../import/index.ts'
import { mebibyte, type Budget } from '../budget.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { budget, changeView } from '../schemas/changes.ts'
import { counts, finding } from '../schemas/common.ts'
import { inspection } from '../schemas/import.ts'
import { planChangeList, planReply } from '../views/change-list.ts'
import { requireComponent } from '../../pipeline/index.ts'
import { maxChanges } from '../views/generation-changes.ts'
import { saveAsDrafts } from '../views/save-as-drafts.ts'

/** A file in base64, and a map for it. */
const fileBudget: Partial<Budget> = {
  bytes: 96 * mebibyte,
  elements: 20_000,
  lane: 'long',
  deadlineMs: 120_000,
}

const file = {
  csv: z.string().optional().meta({ description: 'The file as text, if it is a text file.' }),
  bytes: z
    .base64()
    .optional()
    .meta({ description: 'The unchanged file in base64: CSV in any encoding, .xlsx or .xls.' }),
  name: z.string().max(300).optional().meta({ description: 'The name of the file, for messages.' }),
}

const options = z.strictObject({
  dryRun: z.boolean().optional(),
  name: file.name,
  repair: z
    .array(z.string())
    .optional()
    .meta({ description: 'Repairs for findings, such as config.range_gap=extend_earlier.' }),
  again: z
    .boolean()
    .optional()
    .meta({ description: 'Whether to import all rows, including those edited here since the last import.' }),
})

const list = z.strictObject({
  set: z.string(),
  ...file,
  map: z.unknown(),
  options: options.optional(),
  dryRun: z.boolean().optional(),
})

export const inspectTable = defineRoute({
  method: 'post',
  path: '/setup/v3/import/inspect',
  name: 'inspectTable',
  summary: 'Inspect a file: its format, its columns, a suggested map for a set, and open questions',
  effect: 'reads',
  body: z.strictObject({
    ...file,
    set: z.string().optional().meta({ description: 'The set for which to suggest a map.' }),
    options: z
      .strictObject({
        encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional(),
        delimiter: z.string().length(1).optional(),
        header: z.union([z.boolean(), z.int().min(1)]).optional(),
        sheet: z.string().optional(),
      })
      .optional()
      .meta({ description: 'Choices for the open questions about the format of the file.' }),
  }),
  author: true,
  budget: fileBudget,
  reply: inspection,
  errors: ['import.invalid', 'component.not_found'],
  handle: ({ body, ...request }) => {
    const set = body.set === undefined ? null : definitionOf(request, body.set)
    return request.services.longReads.inspectFile({
      bytes: bytesOf(body),
      name: body.name ?? 'the file',
      options: body.options ?? {},
      set: set?.type === 'config_set' ? set : null,
    })
  },
})

export const previewImport = defineRoute({
  method: 'post',
  path: '/setup/v3/import/preview',
  name: 'previewImport',
  summary:
    'Preview an import: what it would add, change and keep, and all rows that cannot be imported; saves nothing',
  effect: 'reads',
  body: list.omit({ dryRun: true }),
  author: true,
  budget: fileBudget,
  reply: z.object({
    changes: z.array(changeView),
    total: z.int(),
    counts,
    unchanged: z.int(),
    findings: z.array(finding),
    findingsTotal: z.int(),
    rowsRefused: z.boolean(),
    budget,
    facts: z.unknown(),
  }),
  errors: ['import.invalid', 'request.invalid', 'access.denied'],
  handle: async ({ body, ...request }) => {
    const preview = await request.services.longReads.previewImport({
      set: body.set,
      bytes: bytesOf(body),
      name: nameOf(body),
      map: body.map,
      repair: body.options?.repair ?? [],
      again: body.options?.again === true,
      actor: request.access.user,
      maxItems: maxChanges,
    })
    const { changes, total, budget: slices, plan } = planReply(request, preview.plan)
    const { facts, unchanged, findings, findingsTotal, rowsRefused } = preview
    return {
      ...{ changes, total, counts: plan.counts, unchanged, budget: slices },
      ...{ findings, findingsTotal, rowsRefused, facts },
    }
  },
})

export const importTable = defineRoute({
  method: 'post',
  path: '/setup/v3/import',
  name: 'importTable',
  summary:
    'Import a CSV file or a spreadsheet into a set; returns changes and findings, and saves drafts unless dryRun',
  effect: 'writes',
  body: list,
  author: true,
  budget: fileBudget,
  reply: z.object({
    changes: z.array(changeView),
    findings: z.array(finding),
    drafts: z.array(z.string()).optional(),
    facts: z.unknown(),
  }),
  errors: ['import.invalid', 'request.invalid', 'conflict.stale_draft'],
  handle: async ({ body, ...request }) => {
    const { components, removals, existingDrafts, dropped, findings, record, facts } = await listOf(
      request,
      body,
    )
    const importedComponents = components.map((each) => each.component)
    const plan = await planChangeList(request, { components: importedComponents, removals })
    const answer = { changes: plan.changes, findings: [...findings, ...plan.findings], facts }
    if (body.dryRun === true || body.options?.dryRun === true) return answer
    const user = request.viewer === null ? null : request.by.actor
    const companion = importCompanion({ set: body.set, record, dropped, user })
    return {
      ...answer,
      drafts: await saveAsDrafts(
        request,
        { components: importedComponents, removals, existingDrafts },
        companion,
      ),
    }
  },
})

/** @throws AlmanacError component.not_found */
function definitionOf({ services, shown, viewer }: Omit<CallerContext, 'access'>, set: string): Component {
  const drafted = services.store.read((reader) => findDraftSet(reader, set, viewer))
  return drafted?.component ?? requireComponent(shown, 'config_set', set)
}

type ImportBody = z.output<typeof list>
type CallerContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'shown' | 'viewer' | 'access'
>

async function listOf(
  { services, shown, viewer, access }: CallerContext,
  body: ImportBody,
): Promise<ImportChangeList> {
  const map = parseImportMap(body.map)
  const table = await readTable(bytesOf(body), nameOf(body), map)
  const importRequest = {
    ...{ set: body.set, table, map },
    repair: body.options?.repair ?? [],
    again: body.options?.again === true,
  }
  return services.store.read((reader) =>
    createImportChangeList(reader, importRequest, shown, { today: services.clock.today(), viewer, access }),
  )
}

function nameOf({ name, options: given }: Pick<ImportBody, 'name' | 'options'>): string {
  return name ?? given?.name ?? 'the file'
}

/** @throws AlmanacError request.malformed if the request has both forms, or neither */
function bytesOf({ csv, bytes }: Pick<ImportBody, 'csv' | 'bytes'>): Uint8Array {
  if ((csv === undefined) === (bytes === undefined))
    throw new AlmanacError('request.malformed', 'Send the file as either "csv" (text) or "bytes" (base64).')
  return csv === undefined ? Buffer.from(bytes!, 'base64') : Buffer.from(csv, 'utf8')
}
