// Channels of events with a schema: who sees them, reads them and publishes on them.
import { fieldKeys, Reference } from './record-worlds.ts'
import type { Doors } from './matrix-doors.ts'

export async function askNotices({ world, asks, check }: Doors): Promise<void> {
  const { notices } = world
  const path = `/events/v3/channels/${notices.key}`
  for (const user of world.users) {
    const [ask, reference] = [asks[user.key]!, new Reference(world, user)]
    const [mayRead, mayPublish] = [reference.mayReadNotices(), reference.mayPublishNotices()]
    const isVisible = mayRead || mayPublish
    const at = (door: string): string => `${user.key} ${door} ${notices.key}`
    const statusOf = (isAllowed: boolean, status = 200): number =>
      isAllowed ? status : isVisible ? 403 : 404

    const { body: listed } = await ask<{ channels: { name: string }[] }>('GET', '/events/v3/channels')
    const names = listed.channels.map(({ name }) => name)
    check(at('channels'), names.includes(notices.key), isVisible)
    for (const feed of world.feeds)
      check(at(`channels, ${feed.key}`), names.includes(feed.key), reference.mayReadFeed(feed))
    const channel = await ask<{ mayRead: boolean; mayPublish: boolean }>('GET', path)
    check(at('channel'), channel.status, isVisible ? 200 : 404)
    if (isVisible)
      check(at('channel, rights'), [channel.body.mayRead, channel.body.mayPublish], [mayRead, mayPublish])
    const published = await ask('POST', `${path}/publish`, { payload: { note: user.key } })
    check(at('publish'), published.status, statusOf(mayPublish, 202))
    const events = await ask<{ events: unknown[] }>('GET', `${path}/events`)
    check(at('events'), events.status, statusOf(mayRead))
    const subscribed = await ask('PUT', '/events/v3/subscriptions/notices', { channel: notices.key })
    check(at('subscribe'), subscribed.status, statusOf(mayRead))
    if (subscribed.status < 300) await ask('DELETE', '/events/v3/subscriptions/notices')
    // The changes of an object are never published.
    for (const feed of world.feeds) {
      const payload = Object.fromEntries(fieldKeys.map((key) => [key, 'q']))
      const changed = await ask('POST', `/events/v3/channels/${feed.key}/publish`, { payload })
      check(at(`publish on ${feed.key}`), changed.status, reference.mayReadFeed(feed) ? 422 : 404)
    }
  }
}
