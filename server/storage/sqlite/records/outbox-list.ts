// The statements of lists of the outbox. Each contains only the conditions of its filter, so that it can use their index: there
// can be very many rows that were dealt with.
import type { OutboxFilter, OutboxState } from '../../../ports/outbox.ts'
import { outboxColumns } from './outbox-row.ts'

/** The states as text in the statement, so that each count reads the index of its state. */
const stateConditions: Readonly<Record<OutboxState, string>> = {
  pending: `o.state = 'pending'`,
  sending: `o.state = 'sending'`,
  dead: `o.state = 'dead' AND o.state NOT IN ('pending', 'sending')`,
  resolved: `o.state = 'resolved' AND o.state NOT IN ('pending', 'sending')`,
  discarded: `o.state = 'discarded' AND o.state NOT IN ('pending', 'sending')`,
}

export const outboxStates = Object.keys(stateConditions) as OutboxState[]

type OtherFilter = Omit<OutboxFilter, 'states'>

const conditions: Readonly<Record<keyof OtherFilter, string>> = {
  credential: 'o.credential = @credential',
  record: 'o.record = @record',
  correlationId: `o.body ->> 'correlationId' = @correlationId`,
  hasFailed: `(o.state = 'dead' OR o.body ->> '$.attempts[0].error' IS NOT NULL) = @hasFailed`,
  since: 'e.at >= @since',
  until: 'e.at < @until',
}

interface Statement {
  sql: string
  parameters: object
}

export const listedColumns = outboxColumns
  .split(', ')
  .map((column) => `o.${column}`)
  .join(', ')

/** @param range conditions on `o.sequence` */
export function outboxPage(filter: OutboxFilter, range: readonly string[], order: 'ASC' | 'DESC'): Statement {
  const sql = `SELECT ${listedColumns} FROM ${tablesOf(filter)}
    ${whereOf([...stateCondition(filter.states), ...conditionsOf(filter), ...range])}
    ORDER BY o.sequence ${order} LIMIT @limit`
  return { sql, parameters: parametersOf(filter) }
}

export function outboxCount(state: OutboxState, filter: OutboxFilter): Statement {
  const where = whereOf([stateConditions[state], ...stateCondition(filter.states), ...conditionsOf(filter)])
  const sql = `SELECT count(*) AS count FROM ${tablesOf(filter)} ${where}`
  return { sql, parameters: parametersOf(filter) }
}

const tablesOf = ({ since, until }: OutboxFilter): string =>
  since === undefined && until === undefined
    ? 'record_outbox o'
    : 'record_outbox o CROSS JOIN record_effect e USING (sequence)'

const whereOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`

function stateCondition(states: OutboxFilter['states']): string[] {
  if (states === undefined) return []
  const [state, ...others] = states
  // The indexes of open rows are not in the order of a page.
  const isClosed = state !== undefined && state !== 'pending' && state !== 'sending'
  if (isClosed && others.length === 0) return [stateConditions[state]]
  return [`o.state IN (SELECT value FROM json_each(@states))`]
}

const conditionsOf = (filter: OutboxFilter): string[] =>
  (Object.keys(conditions) as (keyof OtherFilter)[])
    .filter((name) => filter[name] !== undefined)
    .map((name) => conditions[name])

function parametersOf({ states, hasFailed, ...filter }: OutboxFilter): object {
  return {
    ...filter,
    ...(states === undefined ? {} : { states: JSON.stringify(states) }),
    ...(hasFailed === undefined ? {} : { hasFailed: Number(hasFailed) }),
  }
}
