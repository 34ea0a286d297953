// JSON pointers (RFC 6901) into the envelope of a component, for findings and references.

/** `/body/fields/0/key` of `pointer('body', 'fields', 0, 'key')`; empty for the whole. */
export function pointer(...steps: readonly (string | number)[]): string {
  let path = ''
  for (const step of steps) path += `/${typeof step === 'number' ? step : escapeStep(step)}`
  return path
}

function escapeStep(step: string): string {
  return step.includes('~') || step.includes('/') ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step
}
