// The clients, read again every few seconds while a page shows them: what they can send now changes all the time.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { fetchClients, type ClientsView } from '../../api/clients.ts'
import { loadFailureMessage } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useOrg } from '../../stores/org.ts'

const every = 5000

export function useClients() {
  const org = useOrg()
  const view = shallowRef<ClientsView | null>(null)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> =>
    latest.run(fetchClients, {
      onResult(found) {
        view.value = found
        failure.value = ''
      },
      onError: (error) => (failure.value = loadFailureMessage(error)),
    })
  watch([() => org.epoch, () => org.can('operations.manage')], ([, may]) => (may ? void load() : undefined), {
    immediate: true,
  })
  const timer = window.setInterval(() => {
    if (!document.hidden && org.can('operations.manage')) void load()
  }, every)
  onBeforeUnmount(() => window.clearInterval(timer))
  return { view, failure, load }
}
