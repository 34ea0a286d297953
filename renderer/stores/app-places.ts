// The apps that the user can see, and what each contains; read again once something in the org has changed.
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import { fetchApp, fetchApps, type AppDescription, type AppSummary } from '../api/apps.ts'
import { isNotFound, messageOf } from '../api/request.ts'
import { useLatest } from './use-latest.ts'
import { useOrg } from './org.ts'

const names = shallowReactive(new Map<string, string>())

/** The label of an app, a page or a flow, for its tab. */
export const appPlaceName = (path: string): string | undefined => names.get(path)

export const appPath = (app: string): string => `/apps/${encodeURIComponent(app)}`
export const pagePath = (app: string, page: string): string =>
  `${appPath(app)}/pages/${encodeURIComponent(page)}`
export const flowPath = (app: string, flow: string): string =>
  `${appPath(app)}/flows/${encodeURIComponent(flow)}`

function noteNames({ key, label, pages, flows }: AppDescription): void {
  names.set(appPath(key), label)
  for (const page of pages) names.set(pagePath(key, page.key), page.label)
  for (const flow of flows) names.set(flowPath(key, flow.key), flow.label)
}

export const useApps = defineStore('apps', () => {
  const org = useOrg()
  const list = shallowRef<AppSummary[] | null>(null)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> =>
    latest.run(fetchApps, {
      onResult(found) {
        list.value = found
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  watch(() => org.epoch, load, { immediate: true })
  return { list: computed(() => list.value), failure: computed(() => failure.value), load }
})

/** One app. @param key empty if no app is shown */
export function useApp(key: () => string) {
  const org = useOrg()
  const app = shallowRef<AppDescription | null>(null)
  const missing = ref(false)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> => {
    if (key() === '') return Promise.resolve()
    return latest.run(() => fetchApp(key()), {
      onResult(found) {
        app.value = found
        missing.value = false
        failure.value = ''
        noteNames(found)
      },
      onError(error) {
        missing.value = isNotFound(error)
        failure.value = messageOf(error)
      },
    })
  }
  watch(
    [key, () => org.epoch],
    ([now], before) => {
      if (now !== before[0]) {
        app.value = null
        missing.value = false
        failure.value = ''
      }
      void load()
    },
    { immediate: true },
  )
  return { app, missing, failure, load }
}
