// A filter over a virtual object: as a plan for the source, and as a program that checks each row that it returns.
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  compileExpression,
  exprValueFromField,
  libraryOf,
  remoteFilterPlanOf,
  type EvalInput,
  type ExprProblem,
  type Library,
  type Reads,
  type RemoteFilter,
} from '#kernel/expr/index.ts'
import type { RemoteRow } from './remote-row.ts'
import type { VirtualObject } from './virtual-object.ts'

type Constants = Omit<EvalInput, 'field'>

export interface RowFilter {
  /** What its configuration is, for the rights of the caller. */
  readonly reads: Reads
  /** The keys of the fields that it reads. */
  readonly fields: ReadonlySet<string>
  /** @throws AlmanacError of the parts that do not depend on the row */
  condition(input: Constants): RemoteFilter
  /** Whether a row passes; also true if a field that it reads could not be read. */
  passes(row: RemoteRow, input: Constants): boolean
}

const libraries = new WeakMap<ComponentView, Library>()

/** @throws AlmanacError `expression.invalid` with each part that the source cannot apply */
export function compileRowFilter(source: string, object: VirtualObject, view: ComponentView): RowFilter {
  let library = libraries.get(view)
  if (library === undefined) libraries.set(view, (library = libraryOf(view)))
  const site = { kind: 'list_filter', object: object.key } as const
  const compiled = compileExpression(source, site, view, 'boolean', library)
  if (!compiled.ok) throw invalid(compiled.problems)
  const result = remoteFilterPlanOf(source, object.key, library)
  if (!result.ok) throw invalid(result.problems)
  const { plan } = result
  const { program, reads } = compiled
  return {
    reads,
    fields: plan.fields,
    condition: (input) => plan.filter(input),
    passes: (row, input) => {
      if ([...plan.fields].some((field) => row.errors.has(field))) return true
      const field = ([key]: readonly string[]) =>
        exprValueFromField(object.fields.get(key!)!.field.type, row.fields.get(key!))
      return program.evaluate({ ...input, field }) === true
    },
  }
}

const invalid = (problems: readonly ExprProblem[]): AlmanacError =>
  new AlmanacError('expression.invalid', problems[0]!.message, { details: problems })
