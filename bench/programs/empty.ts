/** Does nothing: what it costs to start the runtime. */
