// The compiled expressions of an object in one generation, each compiled when it is first used.
import type { ComponentOf } from '../components/body-types.ts'
import type { ExpressionSite, ParamType } from '../components/expression-slot.ts'
import { objectFieldOf } from '../components/object/field-named.ts'
import {
  localObjectBody,
  type LocalObjectBody,
  type ObjectBody,
  type ObjectField,
} from '../components/object/body.ts'
import type { ComponentView } from '../components/view.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import {
  compileExpression,
  directReadsOf,
  filterPlanOf,
  libraryOf,
  type FieldPath,
  type FilterPlan,
  type Library,
  type Program,
  type Reads,
} from '../expr/index.ts'

export interface FieldProgram {
  readonly program: Program
  /** The fields that it reads directly. */
  readonly paths: readonly FieldPath[]
  /** Whether it reads a parameter or the result of a callout. */
  readonly readsInputs: boolean
  /** Whether its value depends on configuration or a calc function, so that a stored one keeps its generation. */
  readonly isBound: boolean
}

type Rule = LocalObjectBody['validationRules'][number]
type SharingRule = LocalObjectBody['sharing']['rules'][number]

export interface ObjectPrograms {
  readonly object: string
  /** Whether its rows are in a remote source. */
  readonly isVirtual: boolean
  /** Of a virtual object: its fields, without rules and sharing. */
  readonly body: Omit<LocalObjectBody, 'storage'>
  /** By key or alias. */
  field(name: string): ObjectField | undefined
  /** The formula of a field, stored or virtual; null for any other field. */
  formula(field: ObjectField): FieldProgram | null
  /** Null for a field without a default. */
  default(field: ObjectField): FieldProgram | null
  rule(rule: Rule): FieldProgram
  sharing(rule: SharingRule): FieldProgram
  /** The filter of a roll-up, over the child; null without one. */
  filter(field: ObjectField): FieldProgram | null
  /** The fields of the same record that a program reads, also through its virtual formulas. */
  ownReads(program: FieldProgram): ReadonlySet<string>
  /** The same, with what it reads along references that can lead back to the record. */
  cyclicReads(program: FieldProgram): ReadonlySet<string>
}

interface Compiled {
  library: Library
  objects: Map<string, ObjectPrograms | null>
}

const compiledViews = new WeakMap<ComponentView, Compiled>()

function compiledOver(view: ComponentView): Compiled {
  let compiled = compiledViews.get(view)
  if (compiled === undefined)
    compiledViews.set(view, (compiled = { library: libraryOf(view), objects: new Map() }))
  return compiled
}

/**
 * Compiles an expression at its place, with the calc functions that the view has already compiled.
 * @throws AlmanacError `expression.invalid`: a generation with it cannot be applied
 */
export function compileFieldProgram(
  place: string,
  source: string,
  site: ExpressionSite,
  expects: ParamType | 'any',
  view: ComponentView,
): FieldProgram {
  return programOf(place, source, site, expects, compiledOver(view).library)
}

/**
 * A condition on records of an object as a plan for a database, with what it reads.
 * @throws AlmanacError `expression.invalid`
 */
export function filterPlan(
  source: string,
  site: Extract<ExpressionSite, { kind: 'list_filter' | 'sharing_rule' }>,
  view: ComponentView,
): FilterPlan & { reads: Reads } {
  const { library } = compiledOver(view)
  const compiled = compileExpression(source, site, view, 'boolean', library)
  const result = compiled.ok ? filterPlanOf(source, site, library) : compiled
  if (result.ok) return { ...(result as { plan: FilterPlan }).plan, reads: compiled.reads }
  const [first] = result.problems
  throw new AlmanacError('expression.invalid', first!.message, { details: result.problems })
}

/** Null if the object does not exist in the view or is virtual. */
export function objectPrograms(view: ComponentView, object: string): ObjectPrograms | null {
  const programs = rowPrograms(view, object)
  return programs?.isVirtual === true ? null : programs
}

/** Also of a virtual object, whose rows are read and not saved. A view never changes, so its programs stay valid. */
export function rowPrograms(view: ComponentView, object: string): ObjectPrograms | null {
  const compiled = compiledOver(view)
  let programs = compiled.objects.get(object)
  if (programs === undefined) {
    const component = view.get('object', object)
    programs = component === undefined ? null : programsOf(component, compiled.library)
    compiled.objects.set(object, programs)
  }
  return programs
}

function storedPart(body: ObjectBody): ObjectPrograms['body'] {
  if (body.storage === 'local') return body
  const { fields, nameField, aliases } = body
  return localObjectBody.parse({ storage: 'local', fields, nameField, aliases })
}

function programsOf(component: ComponentOf<'object'>, library: Library): ObjectPrograms {
  const { key: object } = component
  const body = storedPart(component.body)
  const programs = new Map<string, FieldProgram>()
  const reads = new WeakMap<FieldProgram, ReadonlySet<string>>()
  const compile = (
    place: string,
    source: string,
    site: ExpressionSite,
    expects: ParamType | 'any',
  ): FieldProgram => {
    let known = programs.get(place)
    if (known === undefined) programs.set(place, (known = programOf(place, source, site, expects, library)))
    return known
  }
  const formula = ({ key: field, type, formula: own }: ObjectField): FieldProgram | null => {
    if (own === undefined) return null
    const kind = own.stored ? 'stored_formula' : 'virtual_formula'
    return compile(`${object}.${field}`, own.expression, { kind, object, field }, resultOf(type))
  }
  const collectReads = (program: FieldProgram, found: Set<string>): Set<string> => {
    for (const { path, prior } of program.paths) {
      const field = prior ? undefined : objectFieldOf(component, path[0]!)
      if (field === undefined || found.has(field.key)) continue
      found.add(field.key)
      if (field.formula?.stored === false) collectReads(formula(field)!, found)
    }
    return found
  }
  const cyclic = new WeakMap<FieldProgram, ReadonlySet<string>>()
  return {
    object,
    isVirtual: component.body.storage === 'external',
    body,
    field: (name) => objectFieldOf(component, name),
    cyclicReads: (program) => {
      let known = cyclic.get(program)
      if (known === undefined) cyclic.set(program, (known = readsOfObject(library.view, object, program)))
      return known
    },
    formula,
    default: ({ key: field, type, default: source }) =>
      source === undefined
        ? null
        : compile(
            `default of ${object}.${field}`,
            source,
            { kind: 'field_default', object, field },
            resultOf(type),
          ),
    rule: ({ key, when }) =>
      compile(`rule ${key} of ${object}`, when, { kind: 'validation_rule', object }, 'boolean'),
    sharing: ({ key, when }) =>
      compile(`sharing rule ${key} of ${object}`, when, { kind: 'sharing_rule', object }, 'boolean'),
    filter: ({ key: field, rollup }) =>
      rollup?.filter === undefined
        ? null
        : compile(
            `filter of ${object}.${field}`,
            rollup.filter,
            { kind: 'rollup_filter', object, field, child: rollup.child },
            'boolean',
          ),
    ownReads: (program) => {
      let known = reads.get(program)
      if (known === undefined) reads.set(program, (known = collectReads(program, new Set())))
      return known
    },
  }
}

/** The fields of an object that a program over it reads, on any record of it. */
function readsOfObject(view: ComponentView, object: string, program: FieldProgram): Set<string> {
  const found = new Set<string>()
  const seen = new Set<FieldProgram>()
  const collect = (start: string, { paths }: FieldProgram): void => {
    for (const { path, prior } of paths) {
      let at: string | undefined = prior ? undefined : start
      for (const name of path) {
        const programs: ObjectPrograms | null = at === undefined ? null : objectPrograms(view, at)
        const field = programs?.field(name)
        if (programs === null || field === undefined) break
        if (at === object) found.add(field.key)
        const formula = field.formula?.stored === false ? programs.formula(field) : null
        if (formula !== null && !seen.has(formula)) {
          seen.add(formula)
          collect(programs.object, formula)
        }
        at = field.references
      }
    }
  }
  collect(object, program)
  return found
}

const resultOf = (type: ObjectField['type']): ParamType | 'any' =>
  type === 'enum' ? 'text' : type === 'reference' ? 'any' : type

/** @throws AlmanacError `expression.invalid`: a generation with it cannot be applied */
function programOf(
  place: string,
  source: string,
  site: ExpressionSite,
  expects: ParamType | 'any',
  library: Library,
): FieldProgram {
  const compiled = compileExpression(source, site, library.view, expects, library)
  if (!compiled.ok) {
    const [first] = compiled.problems
    throw new AlmanacError('expression.invalid', `${place}: ${first!.message}`, {
      details: compiled.problems,
    })
  }
  const { program, reads } = compiled
  return {
    program,
    ...directReadsOf(source, site, library.view),
    isBound: reads.deepSets.length + reads.deepFlags.length + reads.deepFunctions.length > 0,
  }
}
