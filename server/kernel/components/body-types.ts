// The body type of every component type, gathered from the rooms' body files (types only).
import type { AppBody } from './app/body.ts'
import type { AutomationBody } from './automation/body.ts'
import type { CalcFunctionBody } from './calc-function/body.ts'
import type { ConfigEntryBody } from './config-entry/body.ts'
import type { ConfigSetBody } from './config-set/body.ts'
import type { EventChannelBody } from './event-channel/body.ts'
import type { ExternalCredentialBody } from './external-credential/body.ts'
import type { ExternalDataSourceBody } from './external-data-source/body.ts'
import type { ExternalServiceBody } from './external-service/body.ts'
import type { FeatureFlagBody } from './feature-flag/body.ts'
import type { IntegrationClientBody } from './integration-client/body.ts'
import type { LayoutBody } from './layout/body.ts'
import type { ListViewBody } from './list-view/body.ts'
import type { NamedCredentialBody } from './named-credential/body.ts'
import type { ObjectBody } from './object/body.ts'
import type { PermissionSetBody } from './permission-set/body.ts'
import type { ValueSetBody } from './value-set/body.ts'
import type { WebhookEndpointBody } from './webhook-endpoint/body.ts'
import type { ComponentType, Envelope } from './component.ts'

export interface BodyTypes {
  config_set: ConfigSetBody
  config_entry: ConfigEntryBody
  feature_flag: FeatureFlagBody
  value_set: ValueSetBody
  calc_function: CalcFunctionBody
  object: ObjectBody
  automation: AutomationBody
  layout: LayoutBody
  list_view: ListViewBody
  app: AppBody
  permission_set: PermissionSetBody
  external_credential: ExternalCredentialBody
  named_credential: NamedCredentialBody
  external_service: ExternalServiceBody
  webhook_endpoint: WebhookEndpointBody
  external_data_source: ExternalDataSourceBody
  event_channel: EventChannelBody
  integration_client: IntegrationClientBody
}

/** A component of one type, its body typed. */
export type ComponentOf<T extends ComponentType> = Envelope<T, BodyTypes[T]>

/** Any component: a union discriminated by `type`. */
export type Component = { [T in ComponentType]: ComponentOf<T> }[ComponentType]
