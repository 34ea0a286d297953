// Event channels of a generation, and what their events contain.
export {
  capturingChannels,
  changesOf,
  declaredOver,
  findChannel,
  listChannels,
  objectOfChanges,
  ownChannelId,
  type ChannelId,
  type EventChannel,
  type EventField,
  type ObjectChanges,
  type PlatformEvents,
} from './channels.ts'
export {
  eventObjectField,
  jsonBytes,
  largestField,
  parseEventPayload,
  partitionHash,
  type EventPayload,
  type PayloadProblem,
} from './event-payload.ts'
