// Requests and responses of the server with the methods of Express from the start: Express changes the prototype of each
// one that it handles, which is slow.
import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'

export class EdgeRequest extends IncomingMessage {}

/** Node's own function, which writes the first line and the headers of a response. */
type StoreHeader = (firstLine: string, headers: unknown) => void
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as { _storeHeader: StoreHeader }

export class EdgeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Lines of headers that are the same for every response, and that no handler changes. */
  declare fixedHeaders: string | undefined

  _storeHeader(firstLine: string, headers: unknown): void {
    storeHeader.call(this, firstLine + (this.fixedHeaders ?? ''), headers)
  }
}

Object.defineProperties(EdgeRequest.prototype, Object.getOwnPropertyDescriptors(express.request))
Object.defineProperties(EdgeResponse.prototype, Object.getOwnPropertyDescriptors(express.response))
