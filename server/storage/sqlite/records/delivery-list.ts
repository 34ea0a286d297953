// The statements of lists of deliveries. Each contains only the conditions of its filter, so that it can use their index.
import { mostCountedDeliveries, type DeliveryFilter, type DeliveryState } from '../../../ports/deliveries.ts'
import { deliveryColumns } from './delivery-row.ts'

export const deliveryStates = [
  ...(['pending', 'held', 'dispatching', 'dispatched', 'dead', 'discarded'] as const),
] as const satisfies readonly DeliveryState[]

const conditions: Readonly<Record<keyof DeliveryFilter, string>> = {
  states: 'state IN (SELECT value FROM json_each(@states))',
  endpoint: 'endpoint = @endpoint',
  correlationId: 'correlation = @correlationId',
  hasFailed: `(state = 'dead' OR body ->> '$.attempts[0].error' IS NOT NULL) = @hasFailed`,
  since: 'at >= @since',
  until: 'at < @until',
}

interface Statement {
  sql: string
  parameters: object
}

/** @param range conditions on `id` */
export function deliveryPage(
  filter: DeliveryFilter,
  range: readonly string[],
  order: 'ASC' | 'DESC',
): Statement {
  const sql = `SELECT ${deliveryColumns} FROM record_delivery ${whereOf([...conditionsOf(filter), ...range])}
    ORDER BY id ${order} LIMIT @limit`
  return { sql, parameters: parametersOf(filter) }
}

export function deliveryCount(state: DeliveryState, filter: DeliveryFilter): Statement {
  const where = whereOf([`state = '${state}'`, ...conditionsOf({ ...filter, states: undefined })])
  return {
    sql: `SELECT count(*) AS count FROM (SELECT 1 FROM record_delivery ${where} LIMIT ${mostCountedDeliveries})`,
    parameters: parametersOf({ ...filter, states: undefined }),
  }
}

const whereOf = (all: readonly string[]): string => (all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`)

const conditionsOf = (filter: DeliveryFilter): string[] =>
  (Object.keys(conditions) as (keyof DeliveryFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map((name) => conditions[name])

function parametersOf({ states, hasFailed, ...filter }: DeliveryFilter): object {
  return {
    ...filter,
    ...(states !== undefined && { states: JSON.stringify(states) }),
    ...(hasFailed !== undefined && { hasFailed: Number(hasFailed) }),
  }
}
