// The filter of a caller over a virtual object. Its matches would reveal the fields and the configuration that it reads, so
// it reads what the caller can read.
import { configurationInput } from '#kernel/config/index.ts'
import {
  compileRowFilter,
  type ListRequest,
  type RowFilter,
  type VirtualObject,
} from '../../virtual/index.ts'
import type { RecordCaller } from '../read/record-caller.ts'

/** @throws AlmanacError `expression.invalid`, `config.unknown_set`, `access.denied` */
export function rowFilterOf({ access }: RecordCaller, object: VirtualObject, filter: string): RowFilter {
  const compiled = compileRowFilter(filter, object, access.readableView())
  const { deepSets, deepFlags } = compiled.reads
  for (const set of [...deepSets.map((read) => read.set), ...deepFlags]) access.requireValues(set)
  return compiled
}

/** With the configuration that it names, as the caller resolves it. */
export function boundFilter(
  caller: RecordCaller,
  object: VirtualObject,
  filter: string | undefined,
): ListRequest['filter'] {
  if (filter === undefined) return null
  const { present, scopePath } = caller
  return {
    by: rowFilterOf(caller, object, filter),
    input: configurationInput({ asOf: null, scopePath }, present.slice),
  }
}
