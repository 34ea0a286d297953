// All rooms, one per component type. A type without a room does not compile.
import type { z } from 'zod'
import { appRoom } from './app/index.ts'
import { automationRoom } from './automation/index.ts'
import { calcFunctionRoom } from './calc-function/index.ts'
import type { BodyTypes } from './body-types.ts'
import type { ComponentType } from './component.ts'
import { configEntryRoom } from './config-entry/index.ts'
import { configSetRoom } from './config-set/index.ts'
import type { Room } from './define.ts'
import { eventChannelRoom } from './event-channel/index.ts'
import { externalCredentialRoom } from './external-credential/index.ts'
import { externalDataSourceRoom } from './external-data-source/index.ts'
import { externalServiceRoom } from './external-service/index.ts'
import { featureFlagRoom } from './feature-flag/index.ts'
import { integrationClientRoom } from './integration-client/index.ts'
import { layoutRoom } from './layout/index.ts'
import { listViewRoom } from './list-view/index.ts'
import { namedCredentialRoom } from './named-credential/index.ts'
import { objectRoom } from './object/index.ts'
import { permissionSetRoom } from './permission-set/index.ts'
import { valueSetRoom } from './value-set/index.ts'
import { webhookEndpointRoom } from './webhook-endpoint/index.ts'

/** Every room, in display order. */
export const rooms = [
  configSetRoom,
  configEntryRoom,
  featureFlagRoom,
  valueSetRoom,
  calcFunctionRoom,
  objectRoom,
  automationRoom,
  layoutRoom,
  listViewRoom,
  appRoom,
  permissionSetRoom,
  externalCredentialRoom,
  namedCredentialRoom,
  externalServiceRoom,
  webhookEndpointRoom,
  externalDataSourceRoom,
  eventChannelRoom,
  integrationClientRoom,
] as const satisfies readonly { type: ComponentType }[]

type RoomByType = { [R in (typeof rooms)[number] as R['type']]: R }

const byType = Object.fromEntries(rooms.map((room) => [room.type, room])) as RoomByType satisfies {
  [T in ComponentType]: Room<T>
}

/** Returns the room of a type. */
export function roomOf<T extends ComponentType>(type: T): Room<T> {
  return byType[type] as unknown as Room<T>
}

/** Returns the body schema of a type. */
export function bodySchemaOf<T extends ComponentType>(type: T): z.ZodType<BodyTypes[T]> {
  return roomOf(type).body
}
