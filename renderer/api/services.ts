// External services: their operations, new imports of their descriptions, and calls.
import type { ServiceOperationResult } from '#wire/records.ts'
import type { ServiceImportView, ServiceOperationView, ServiceView } from '#wire/services.ts'
import { get, post } from './request.ts'
import type { JsonObject } from './wire.ts'

export type { ServiceOperationResult } from '#wire/records.ts'
export type {
  ServiceDriftRow,
  ServiceImportView,
  ServiceOperationRow,
  ServiceOperationView,
  ServiceView,
} from '#wire/services.ts'

const pathOf = (service: string): string => `/setup/v3/services/${encodeURIComponent(service)}`

export const fetchService = (service: string): Promise<ServiceView> => get(pathOf(service))

export const fetchOperation = (service: string, operation: string): Promise<ServiceOperationView> =>
  get(`${pathOf(service)}/operations/${encodeURIComponent(operation)}`)

/** Without a definition, that of the active service is imported. */
export const importService = (service: string, definition?: JsonObject): Promise<ServiceImportView> =>
  post(`${pathOf(service)}/import`, { definition })

export const callService = (
  service: string,
  operation: string,
  params: Record<string, unknown>,
): Promise<ServiceOperationResult> =>
  post(`/invoke/v3/${encodeURIComponent(`${service}.${operation}`)}`, { params })
