// Which fields of an object are computed.
import type { ObjectField } from './body.ts'

/** Whether its value follows from others, so that it cannot be entered. */
export const isComputed = ({ formula, rollup }: ObjectField): boolean =>
  formula !== undefined || rollup !== undefined
