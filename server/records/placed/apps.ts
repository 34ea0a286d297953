// Apps as the caller can see them: what they contain, without what the caller cannot read.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { AppDescription, AppSummary, FlowDescription } from '#wire/records.ts'
import { summaryOf } from '../describe.ts'
import { visibleObjects, type RecordCaller } from '../read/record-caller.ts'
import { visiblePages } from './visible-sections.ts'

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

/** Null if the caller cannot add records of its object. */
function visibleFlow(
  caller: RecordCaller,
  { key, label, object, steps }: ComponentOf<'app'>['body']['flows'][number],
  visible: ReadonlySet<string>,
): FlowDescription | null {
  if (!visible.has(object) || !caller.access.may(object, 'create')) return null
  return { key, label, object, steps: visiblePages(caller, steps, { kind: 'draft', object }) }
}
