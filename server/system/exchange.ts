// One request and its response on a connection of undici: one limit of time, one of size, and an end that comes once.
import type { Dispatcher } from 'undici'
import {
  CalloutFault,
  type CalloutFaultKind,
  type TransportRequest,
  type TransportResponse,
} from '../ports/callout-transport.ts'
import { decompressResponse, sizeReason } from './decompress-response.ts'
import { transportFault } from './transport-fault.ts'

export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<TransportResponse>
  readonly #request: TransportRequest
  readonly #pieces: Buffer[] = []
  readonly #timer: NodeJS.Timeout
  #resolve!: (response: TransportResponse | Promise<TransportResponse>) => void
  #onEnd: (() => void) | undefined
  #reject!: (fault: CalloutFault) => void
  readonly #endsAt: number
  /** Only if there is a signal. */
  #cancel: (() => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #fault: CalloutFault | undefined
  #isSent = false
  #isOver = false
  #size = 0
  #status: number | null = null
  #headers: Record<string, string> = {}

  constructor(request: TransportRequest) {
    this.#request = request
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#endsAt = performance.now() + request.timeoutMs
    this.#timer = setTimeout(() => this.#stop('timeout', this.#lateness()), request.timeoutMs)
    if (request.signal === undefined) return
    this.#cancel = () => this.#stop('cancelled', 'it was cancelled')
    if (request.signal.aborted) this.#cancel()
    else request.signal.addEventListener('abort', this.#cancel)
  }

  /** The listener is called once it has ended, in any way. */
  onEnd(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#onEnd = listener
  }

  /** For faults outside the connection. */
  fail(cause: unknown): void {
    this.#end(transportFault(cause, this.#isSent, this.#status))
  }

  /** Just before the first byte is written. A request that is over by then is never written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A process that stood still can get the connection before its timer runs.
    if (performance.now() >= this.#endsAt) this.#stop('timeout', this.#lateness())
    else if (this.#request.maySend?.() === false)
      this.#stop('cancelled', 'it was held up for too long to be sent')
    if (this.#fault !== undefined) return controller.abort(this.#fault)
    this.#controller = controller
    this.#isSent = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return
    this.#status = status
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined)
        this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
    if (this.#request.method !== 'HEAD' && Number(this.#headers['content-length']) > this.#request.maxBytes)
      this.#stop('too_large', sizeReason(this.#request.maxBytes))
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#request.maxBytes) this.#stop('too_large', sizeReason(this.#request.maxBytes))
    else this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#finish()
    const body = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    const response = { status: this.#status ?? 0, headers: this.#headers, body }
    const end = this.#headers['content-encoding'] === undefined ? this.#resolve : this.#decompressed()
    // After the callback in which undici frees the connection, or else the next call would open a second one.
    process.nextTick(() => setImmediate(end, response))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  #decompressed(): (response: TransportResponse & { body: Buffer }) => void {
    return (response) => this.#resolve(decompressResponse(response, this.#request.maxBytes))
  }

  #stop(kind: CalloutFaultKind, reason: string): void {
    this.#end(new CalloutFault(kind, reason, this.#isSent, this.#status))
  }

  #end(fault: CalloutFault): void {
    if (this.#isOver) return
    this.#fault = fault
    this.#finish()
    this.#controller?.abort(fault)
    this.#reject(fault)
  }

  #finish(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    if (this.#cancel !== undefined) this.#request.signal?.removeEventListener('abort', this.#cancel)
    this.#onEnd?.()
  }

  #lateness(): string {
    const what = !this.#isSent ? 'connection' : this.#status === null ? 'response' : 'complete response'
    const { timeoutMs } = this.#request
    return `no ${what} within ${timeoutMs >= 1000 ? timeoutMs / 1000 : `0.${String(timeoutMs).padStart(3, '0')}`} s`
  }
}
