// Platform events that a caller publishes, as plain data.
import type { ScopePath } from '#kernel/components/scopes.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { parseEventPayload } from '#kernel/events/index.ts'
import type { PlatformEvent } from '../../ports/events.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { publishableChannel } from '../events/open-channel.ts'
import { platformEvent, referredRecords } from '../events/platform-event.ts'
import { runOnce, type Idempotency } from './run-once.ts'
import type { CommandDeps } from './save-command.ts'

export interface PublishCommand {
  /** Name of the channel. */
  publish: string
  /** The payload of each event. */
  payloads: readonly Readonly<Record<string, unknown>>[]
  generation: number
  user: string
  client?: string | null
  correlationId: string
  scopePath: ScopePath
  idempotency?: Idempotency | undefined
}

export interface PublishReply {
  /** Ids of the events, in the order of the command. */
  ids: string[]
}

/**
 * All of the events, or none.
 * @throws AlmanacError `channel.not_found`, `access.denied`, `event.invalid`, `limit.event_too_large`,
 * `conflict.idempotency_key`
 */
export function runPublish(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: PublishCommand,
): Promise<PublishReply> {
  const { user, generation, scopePath } = command
  const present = deps.snapshots.at(generation)
  const access = deps.accessOf(user, generation, scopePath)
  const { channel, source } = publishableChannel({ present, access, scopePath }, command.publish)
  const isSeveral = command.payloads.length > 1
  const events = command.payloads.map((sent, at): PlatformEvent => {
    const parsed = parseEventPayload(present.view, source.schema, sent)
    if ('problems' in parsed) throw invalidEvent(channel.name, isSeveral ? at : null, parsed.problems)
    const circumstances = {
      ...{ id: deps.ids.uuid(), at: deps.clock.now(), actor: user, correlationId: command.correlationId },
      ...{ records: referredRecords(source.schema, parsed.payload), sensitive: [] },
    }
    return platformEvent(present, channel, circumstances, parsed.payload)
  })
  return runOnce(deps, tx, command.idempotency, async () => {
    for (const event of events) await tx.publish(event)
    return { ids: events.map(({ id }) => id) }
  })
}

function invalidEvent(
  channel: string,
  at: number | null,
  problems: readonly { field: string; message: string }[],
): AlmanacError {
  const place = at === null ? '' : `Event ${at}: `
  const more = problems.length > 5 ? ` (and ${problems.length - 5} more)` : ''
  const messages = problems.slice(0, 5).map(({ message }) => message)
  return new AlmanacError('event.invalid', `${place}${messages.join(' ')}${more}`, {
    details: problems.map((each) => ({ channel, ...(at === null ? {} : { event: at }), ...each })),
  })
}
