// JSON pointers (RFC 6901) into a component's envelope, as findings and references write them.

/** `/body/fields/0/key` of `pointer('body', 'fields', 0, 'key')`; empty for the whole. */
export function pointer(...steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
