// The forms of all component types. They are not in the rooms, because the studio reads them without the schemas.
import { appForm } from './app/form.ts'
import { automationForm } from './automation/form.ts'
import { calcFunctionForm } from './calc-function/form.ts'
import { configEntryForm } from './config-entry/form.ts'
import { configSetForm } from './config-set/form.ts'
import { eventChannelForm } from './event-channel/form.ts'
import { externalCredentialForm } from './external-credential/form.ts'
import { externalDataSourceForm } from './external-data-source/form.ts'
import { externalServiceForm } from './external-service/form.ts'
import { featureFlagForm } from './feature-flag/form.ts'
import { integrationClientForm } from './integration-client/form.ts'
import { layoutForm } from './layout/form.ts'
import { listViewForm } from './list-view/form.ts'
import { namedCredentialForm } from './named-credential/form.ts'
import { objectForm } from './object/form.ts'
import { permissionSetForm } from './permission-set/form.ts'
import { valueSetForm } from './value-set/form.ts'
import { webhookEndpointForm } from './webhook-endpoint/form.ts'
import type { ComponentType } from './component.ts'
import type { FormDescriptor } from './form.ts'

const forms: Readonly<Record<ComponentType, FormDescriptor>> = {
  config_set: configSetForm,
  config_entry: configEntryForm,
  feature_flag: featureFlagForm,
  value_set: valueSetForm,
  calc_function: calcFunctionForm,
  object: objectForm,
  automation: automationForm,
  layout: layoutForm,
  list_view: listViewForm,
  app: appForm,
  permission_set: permissionSetForm,
  external_credential: externalCredentialForm,
  named_credential: namedCredentialForm,
  external_service: externalServiceForm,
  webhook_endpoint: webhookEndpointForm,
  external_data_source: externalDataSourceForm,
  event_channel: eventChannelForm,
  integration_client: integrationClientForm,
}

/** Returns the form of a type. */
export function formOf(type: ComponentType): FormDescriptor {
  return forms[type]
}
