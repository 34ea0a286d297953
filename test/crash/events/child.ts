// A process that saves notes and numbers their events until it is killed: node child.ts <org> [drain]
import { writeSync } from 'node:fs'
import { openEvents } from '../../../server/compose/open-events.ts'
import { openOrg } from '../../../server/compose/open-org.ts'
import type { CommandItem, PublishCommand, SaveCommand } from '../../../server/records/index.ts'
import { newThreads } from '../../../server/compose/threads.ts'

const [dir = '', only] = process.argv.slice(2)
const org = openOrg(dir, { worker: true, threads: newThreads })
const log = openEvents(org, {
  events: { lags: async () => [] },
  note: () => undefined,
  onError: (error) => writeSync(1, `error ${(error as Error).message}\n`),
})
org.records.followEvents(log.wake)

const by = { user: 'ada', correlationId: 'c', scopePath: {} }

async function save(): Promise<void> {
  const ids: string[] = []
  for (let number = 0; ; number += 1) {
    const kept = ids[Math.floor(Math.random() * ids.length)]
    const item: CommandItem =
      kept === undefined || number % 3 === 0
        ? { op: 'insert', object: 'note', fields: { title: `${number}` } }
        : number % 7 === 0
          ? { op: 'delete', object: 'note', id: kept, fields: {} }
          : { op: 'update', object: 'note', id: kept, fields: { title: `${number} again` } }
    const { reply } = await org.records.save<SaveCommand>({
      ...{ ...by, generation: org.activeGeneration() },
      ...{ items: [item], allOrNone: false, reply: 'ids' as const },
    })
    const [result] = reply.results
    if (!result!.ok) continue
    if (item.op === 'insert') ids.push(result!.id)
    if (item.op === 'delete') ids.splice(ids.indexOf(kept!), 1)
    writeSync(1, `saved ${result!.id} ${result!.version ?? 'deleted'}\n`)
    const { reply: published } = await org.records.save<PublishCommand>({
      ...{ ...by, generation: org.activeGeneration() },
      ...{ publish: 'memo', payloads: [{ text: `${number}` }] },
    })
    for (const id of published.ids) writeSync(1, `published ${id}\n`)
  }
}

process.on('SIGTERM', () => {
  void log
    .close()
    .then(() => org.close())
    .then(() => process.exit(0))
})
writeSync(1, 'open\n')
log.wake()
if (only === 'drain') setInterval(() => undefined, 1000)
else
  for (let at = 0; at < 4; at += 1)
    save().catch((error: unknown) => {
      writeSync(1, `error ${(error as Error).message}\n`)
    })
