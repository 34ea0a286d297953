// What every side of the comparison implements in its page: it shows rows, and reports when the expected rows are
// painted after a key press.

/**
 * @param {{ mount(host: Element, rows: object[]): void, input(): HTMLInputElement, options(): Element[],
 *   text?(option: Element): string, count(): number }} given
 */
export function side({ mount, input, options, text = (option) => option.textContent, count }) {
  const shown = () =>
    options()
      .filter((each) => {
        const { height, top } = each.getBoundingClientRect()
        return height > 0 && top < innerHeight
      })
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
  const first = () => {
    const [option] = shown()
    return option === undefined ? null : text(option).trim()
  }
  window.side = {
    mount,
    focus: () => input().focus(),
    value: () => input().value,
    /** Milliseconds from the next key press to the frame that shows this text as the first option. */
    painted: (label) =>
      new Promise((done, failed) => {
        setTimeout(() => failed(new Error(`The first option is ${first()}, not ${label}.`)), 120_000)
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const look = () =>
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel()
                port1.onmessage = () => (first() === label ? done(performance.now() - timeStamp) : look())
                port2.postMessage(null)
              })
            look()
          },
          { capture: true, once: true },
        )
      }),
    /** The result: the number of options, and the first of them as they are shown. */
    answer: () => ({
      count: count(),
      labels: shown()
        .slice(0, 5)
        .map((each) => text(each).trim()),
    }),
    rows: () => options().length,
  }
}
