// Apps as the caller can see them: what they contain, without what the caller cannot read.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { StepCall as BodyOfCall } from '#kernel/components/app/body.ts'
import type { AppDescription, AppSummary, FlowDescription, StepCall } from '#wire/records.ts'
import { summaryOf } from '../describe.ts'
import { visibleObjects, type RecordCaller } from '../read/record-caller.ts'
import { visiblePages } from './visible-sections.ts'
import { rowPrograms } from '#kernel/records/index.ts'

/** By their order, and then by label. An app of which the caller can see nothing is left out. */
export function listApps(caller: RecordCaller): AppSummary[] {
  return visibleApps(caller).map(({ key, label }) => ({ key, label }))
}

/** @throws AlmanacError `app.not_found` */
export function describeApp(caller: RecordCaller, key: string): AppDescription {
  const app = caller.present.view.get('app', key)
  const described = app === undefined ? null : visibleApp(caller, app)
  if (described !== null) return described
  const known = visibleApps(caller).map((each) => each.key)
  throw new AlmanacError('app.not_found', `The app "${key}" does not exist.${didYouMean(key, known)}`)
}

function visibleApps(caller: RecordCaller): AppDescription[] {
  return [...caller.present.view.list('app')]
    .map((app) => ({ order: app.body.order, described: visibleApp(caller, app) }))
    .flatMap(({ order, described }) => (described === null ? [] : [{ order, described }]))
    .sort((a, b) => a.order - b.order || (a.described.label < b.described.label ? -1 : 1))
    .map(({ described }) => described)
}

function visibleApp(caller: RecordCaller, { key, label, body }: ComponentOf<'app'>): AppDescription | null {
  const visible = new Set(visibleObjects(caller))
  const objects = body.objects
    .filter((object) => visible.has(object))
    .map((object) => summaryOf(caller, object))
    .filter(({ rights }) => rights.read || rights.create)
  const pages = visiblePages(caller, body.pages, { kind: 'page' })
  const flows = body.flows.flatMap((flow) => visibleFlow(caller, flow, visible) ?? [])
  const isEmpty = body.objects.length + body.pages.length + body.flows.length === 0
  if (!isEmpty && objects.length + pages.length + flows.length === 0) return null
  return { key, label: body.label ?? label, objects, pages, flows }
}

/** Null if the caller cannot add records of its object, or cannot call an operation of its steps. */
function visibleFlow(
  caller: RecordCaller,
  { key, label, object, steps }: ComponentOf<'app'>['body']['flows'][number],
  visible: ReadonlySet<string>,
): FlowDescription | null {
  if (!visible.has(object) || !caller.access.may(object, 'create')) return null
  if (steps.some(({ invoke }) => invoke !== undefined && !caller.access.mayCall(invoke.operation)))
    return null
  const calls = new Map(steps.flatMap(({ key: step, invoke }) => (invoke ? [[step, invoke] as const] : [])))
  const pages = visiblePages(caller, steps, { kind: 'draft', object })
  return {
    ...{ key, label, object },
    steps: pages.map((page) => {
      const call = calls.get(page.key)
      return call === undefined ? page : { ...page, invoke: withFieldKeys(caller, object, call) }
    }),
  }
}

/** The fields of a call by their keys: an author can name them by aliases. */
function withFieldKeys(
  { present }: RecordCaller,
  object: string,
  { operation, args, into, asOf }: BodyOfCall,
): StepCall {
  const keyOf = (name: string): string => rowPrograms(present.view, object)?.field(name)?.key ?? name
  const keys = (named: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(named).map(([name, field]) => [name, keyOf(field)]))
  return { operation, args: keys(args), into: keys(into), asOf: asOf === undefined ? null : keyOf(asOf) }
}
