// The webhook endpoints of the org, and what the dispatches of some of them do.
import { shallowReactive, shallowRef, watch } from 'vue'
import { fetchAllComponents, fetchComponent } from '../../../api/components.ts'
import { useOrg } from '../../../stores/org.ts'
import { isObject } from '../../../widgets/widget.ts'
import type { DispatchTarget } from './delivery-words.ts'

export interface EndpointName {
  key: string
  label: string
}

/** Those of the active generation. */
export function useEndpoints() {
  const org = useOrg()
  const endpoints = shallowRef<EndpointName[]>([])
  watch(
    () => org.epoch,
    () =>
      fetchAllComponents({ type: 'webhook_endpoint' }).then(
        (rows) => (endpoints.value = rows.filter(({ digest }) => digest !== null)),
        () => undefined,
      ),
    { immediate: true },
  )
  return endpoints
}

/** @param keys of the endpoints that are shown */
export function useTargets(keys: () => readonly string[]): (endpoint: string) => DispatchTarget | null {
  const org = useOrg()
  const known = shallowReactive(new Map<string, DispatchTarget | null>())
  watch(
    () => org.epoch,
    () => known.clear(),
  )
  watch(
    () => [...new Set(keys())].filter((key) => !known.has(key)).join(','),
    (missing) => {
      for (const key of missing === '' ? [] : missing.split(',')) {
        known.set(key, null)
        fetchComponent('webhook_endpoint', key).then(
          ({ component }) => known.set(key, targetOf(component?.body)),
          () => undefined,
        )
      }
    },
    { immediate: true },
  )
  return (endpoint) => known.get(endpoint) ?? null
}

function targetOf(body: unknown): DispatchTarget | null {
  if (!isObject(body) || !isObject(body['dispatch'])) return null
  const { upsert, automation, publishTo } = body['dispatch']
  const object = isObject(upsert) ? upsert['object'] : undefined
  if (typeof object === 'string') return { kind: 'object', key: object }
  if (typeof automation === 'string') return { kind: 'automation', key: automation }
  return typeof publishTo === 'string' ? { kind: 'event_channel', key: publishTo } : null
}
