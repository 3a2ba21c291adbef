/**
 * The languages below HTTP's meaning, as both sides of agrepl speak them: bytes to frames and back.
 *
 * Takes bytes as they were read, from the door or from an upstream; gives frames and events, and bytes to be written.
 * Never reads a socket, never waits, never holds more than its limits. Invariant: what is written, read again in any
 * cutting, is what was meant.
 *
 * @module
 */
export * from "./http1_answer.ts";
export { type BodyFraming } from "./http1_message_reader.ts";
export * from "./http1_parser.ts";
export * from "./http1_response_parser.ts";
export { clientPreface, http2Code, http2CodeName, Http2Error } from "./http2_frames.ts";
export * from "./http2_messages.ts";
export { headerListLimitBytes, Http2Session, type Http2SessionOptions } from "./http2_session.ts";
export { type Http2Receiver, Http2Stream } from "./http2_stream.ts";
export * from "./piece_queue.ts";
export * from "./upgrade.ts";
export * from "./websocket_deflate.ts";
export * from "./websocket_frame.ts";
export * from "./websocket_message.ts";
