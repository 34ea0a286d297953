// The room of event channels.
import { defineComponentType } from '../define.ts'
import { eventChannelBody } from './body.ts'
import { eventChannelDoc } from './doc.ts'
import { channelReferences, eventChannelRules } from './rules.ts'

export const eventChannelRoom = defineComponentType({
  type: 'event_channel',
  title: 'event channel',
  plural: 'event channels',
  author: 'metadata.author',
  body: eventChannelBody,
  references: channelReferences,
  secretSlots: () => [],
  rules: eventChannelRules,
  doc: eventChannelDoc,
})
