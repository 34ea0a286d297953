// Shapes of the data API.
import { z } from 'zod'
import { problem } from './common.ts'
import { binding } from './evaluation.ts'

export const objectName = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: 'The key of an object, or an alias of it.' })

export const recordId = z.string().min(1).max(400).meta({
  description: 'The ID of a record; of a virtual object, the text of the external ID.',
})

export const fieldValue = z
  .union([z.string(), z.boolean(), z.null()])
  .meta({ id: 'FieldValue', description: 'Numbers are decimal strings; an absent value is null.' })

export const record = z
  .object({
    id: z.string(),
    object: z.string(),
    version: z.union([z.int(), z.string(), z.null()]).meta({
      description:
        'Send it in If-Match, in double quotes, to change the record. A number that grows with every write; of a virtual object an opaque text, or null if the source has no ETags.',
    }),
    fields: z.record(z.string(), fieldValue).meta({ description: 'A field that you cannot read is null.' }),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Codes of the errors of fields that could not be computed and are null.' }),
  })
  .meta({ id: 'Record' })

/** Checked against the object, so that an error names the field. */
export const sentFields = z
  .record(z.string().max(200), z.unknown())
  .meta({ id: 'RecordFields', description: 'Values by the keys or aliases of fields.' })

export const itemOperations = ['insert', 'update', 'upsert', 'recompute', 'delete'] as const

const itemFields = {
  op: z.enum(itemOperations),
  id: recordId.optional(),
  externalId: z
    .string()
    .max(80)
    .optional()
    .meta({ description: 'A unique field whose value in "fields" identifies the record.' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The item fails if the record has a different one.' }),
  fields: sentFields.default({}),
}

export const batchItem = z.strictObject(itemFields).meta({ id: 'BatchItem' })
export const objectBatchItem = z
  .strictObject({ object: objectName, ...itemFields })
  .meta({ id: 'ObjectBatchItem' })

export const batchResult = z
  .object({
    status: z.int().meta({ description: 'The HTTP status that a single request would have.' }),
    id: z.string().optional(),
    version: z.int().optional(),
    error: problem.optional(),
  })
  .meta({ id: 'BatchResult' })

const rights = z.object({ create: z.boolean(), read: z.boolean(), update: z.boolean(), delete: z.boolean() })

export const objectSummary = z
  .object({ key: z.string(), label: z.string(), aliases: z.array(z.string()), rights })
  .meta({ id: 'ObjectSummary' })

const listView = {
  key: z.string(),
  label: z.string(),
  columns: z.array(z.string()),
  filter: z.string().nullable(),
  orderBy: z.array(z.object({ field: z.string(), dir: z.enum(['asc', 'desc']) })),
}

const placedItem = z
  .object({
    id: z.string(),
    type: z.enum(['field', 'component']),
    key: z.string().meta({ description: 'Fields by their keys, also along references, or an element.' }),
    inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    list: z
      .object({ ...listView, object: z.string() })
      .optional()
      .meta({ description: 'Of an element list_view: the list view that it shows.' }),
  })
  .meta({ id: 'PlacedItem' })

const placedSection = z
  .object({ id: z.string(), section: z.string(), columns: z.int(), items: z.array(placedItem) })
  .meta({ id: 'PlacedSection' })

const placedPage = z
  .object({ key: z.string(), label: z.string(), sections: z.array(placedSection) })
  .meta({ id: 'PlacedPage', description: 'Sections, without what you cannot read.' })

export const objectDescription = z
  .object({
    ...objectSummary.shape,
    remote: z
      .object({
        dataSource: z.string(),
        writable: z.boolean(),
        filters: z.boolean(),
        sorts: z.boolean(),
        counts: z.boolean(),
      })
      .nullable()
      .meta({
        description:
          'Of a virtual object: its external data source, and what it allows. What it does not is refused.',
      }),
    nameField: z.string().nullable(),
    listViews: z.array(z.object(listView)).meta({
      description:
        'Without columns and orders that you cannot read. A list whose filter you cannot use is left out.',
    }),
    layouts: z
      .array(placedPage)
      .meta({ description: 'The layouts of its record page, by key. The first one is the usual one.' }),
    fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        type: z.enum(['text', 'number', 'boolean', 'date', 'datetime', 'enum', 'reference']),
        aliases: z.array(z.string()),
        required: z.boolean(),
        unique: z.boolean(),
        sensitive: z.boolean(),
        precision: z.int().nullable(),
        scale: z.int().nullable(),
        valueSet: z.string().nullable(),
        values: z
          .array(z.string())
          .nullable()
          .meta({ description: 'Keys of the active values of its value set.' }),
        labels: z.record(z.string(), z.string()).nullable().meta({
          description: 'The labels of all values of its value set, including inactive ones, by key.',
        }),
        references: z.string().nullable(),
        computed: z.enum(['stored_formula', 'virtual_formula', 'roll_up']).nullable(),
        hasDefault: z.boolean(),
        editable: z.boolean(),
        filling: z.boolean().meta({
          description: 'Whether a job still computes it for existing records. Filters on it are refused.',
        }),
      }),
    ),
  })
  .meta({ id: 'ObjectDescription' })

export const appSummary = z.object({ key: z.string(), label: z.string() }).meta({ id: 'AppSummary' })

const fieldsByName = z.record(z.string(), z.string())

const flowStep = z
  .object({
    ...placedPage.shape,
    invoke: z
      .object({
        operation: z.string(),
        args: fieldsByName.meta({ description: 'The field of the draft with the value of each parameter.' }),
        into: fieldsByName.meta({ description: 'The field that each returned value fills.' }),
        asOf: z.string().nullable().meta({ description: 'The field with the as-of date.' }),
      })
      .optional()
      .meta({ description: 'Called when the step is complete.' }),
  })
  .meta({ id: 'FlowStep' })

export const appDescription = z
  .object({
    ...appSummary.shape,
    objects: z.array(objectSummary),
    pages: z.array(placedPage),
    flows: z
      .array(z.object({ key: z.string(), label: z.string(), object: z.string(), steps: z.array(flowStep) }))
      .meta({
        description:
          'A flow whose object you cannot add records to, or with an operation that you cannot call, is left out.',
      }),
  })
  .meta({ id: 'AppDescription' })

const explainedBinding = {
  binding: binding.meta({ description: 'Without the sets that you cannot read.' }),
  hiddenSets: z.int(),
  steps: z
    .array(z.looseObject({ set: z.string(), key: z.string().nullable() }))
    .meta({ description: 'Every set and key that was read, with the steps that found its entry.' }),
}

const rollUpDefinition = z.object({ op: z.string(), child: z.string(), of: z.string().nullable() })

export const valueExplanation = z
  .object({
    object: z.string(),
    id: z.string(),
    version: z.int(),
    field: z.string(),
    label: z.string(),
    type: z.string(),
    value: fieldValue,
    error: z
      .string()
      .nullable()
      .meta({ description: 'The code of the error of a virtual formula that cannot be computed.' }),
    problem: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description:
        'Why the value could not be computed in its generation; with the place and the operands if you can read everything that the formula reads.',
    }),
    kind: z.enum(['entered', 'stored_formula', 'virtual_formula', 'roll_up']),
    expression: z
      .string()
      .nullable()
      .meta({ description: 'The formula, or the filter of a roll-up, in the generation of the value.' }),
    rollUp: rollUpDefinition.nullable(),
    asOf: z.object({ field: z.string(), date: z.string().nullable() }).nullable(),
    inputs: z
      .array(z.object({ path: z.string(), value: fieldValue }))
      .meta({ description: 'Fields that the formula reads, also along references.' }),
    hiddenInputs: z.int().meta({ description: 'How many others you cannot read.' }),
    archived: z
      .object({
        archive: z.string(),
        at: z.string(),
        by: z.string(),
        generation: z.int(),
        asOf: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Set if the evidence of the value was archived, which freezes it.' }),
    bound: z
      .object({ ...explainedBinding, replay: fieldValue, identical: z.boolean() })
      .nullable()
      .meta({ description: 'The binding of a stored value, and the same evaluation again.' }),
    present: z
      .object({
        ...explainedBinding,
        value: fieldValue,
        differs: z.boolean(),
        problem: z.object({ code: z.string(), message: z.string() }).nullable(),
        expression: z
          .string()
          .nullable()
          .meta({ description: 'The formula, or the filter of a roll-up, as it is now.' }),
        rollUp: rollUpDefinition.nullable(),
      })
      .nullable()
      .meta({ description: 'What a recompute would store now.' }),
    reasons: z.array(z.string()).meta({ description: 'What differs between the two.' }),
  })
  .meta({ id: 'ValueExplanation' })

const boundTo = z.object({ generation: z.int(), archived: z.boolean() })

export const recordHistory = z.object({
  changes: z.array(
    z.object({
      version: z.int(),
      operation: z.enum(['insert', 'update', 'erase', 'delete']),
      at: z.string(),
      by: z.string(),
      correlationId: z.string(),
      generation: z.int(),
      fields: z.array(z.object({ field: z.string(), before: fieldValue, after: fieldValue })),
      bindings: z
        .array(z.object({ field: z.string(), before: boundTo, after: boundTo }))
        .meta({ description: 'Stored values that were archived or bound to another generation.' }),
    }),
  ),
  nextCursor: z.string().nullable(),
})
