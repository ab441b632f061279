/// What has happened to the hardware, for those who tell programs of it.
package enum HardwareEvent: Sendable {
  /// What runs has been stopped.
  case interruptionBegan
  case interruptionEnded(resumes: Bool, isTold: Bool)
  case routeChanged(former: DeviceRoute, reason: DeviceRoute.Reason)
  /// Rate, channels or frames of a cycle.
  case configurationChanged(former: DeviceConfiguration)
  case otherAudioChanged
  case volumeChanged
}
